import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import type { AccountDirectory } from './directory.ts'
import type { DevelopmentApi } from './development_api.ts'
import type { IdentityProviderOptions } from './options.ts'
import type { SigningKey } from './signing_key.ts'
import type { StateFile } from './state_file.ts'

export interface ProviderContext {
  options: IdentityProviderOptions
  issuer: string
  key: SigningKey
  directory: AccountDirectory
  provider: Provider
  api: DevelopmentApi
  file: StateFile
}

export type Handler = (
  world: ProviderContext,
  request: IncomingMessage,
  response: ServerResponse
) => Promise<void>
