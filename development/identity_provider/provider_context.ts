import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import type { AccountDirectory } from './directory.ts'
import type { EmailProviders } from './email_providers.ts'
import type { IdentityProviderOptions } from './options.ts'
import type { SigningKey } from './signing_key.ts'

export interface ProviderContext {
  options: IdentityProviderOptions
  issuer: string
  key: SigningKey
  directory: AccountDirectory
  provider: Provider
  emails: EmailProviders
}

export type Handler = (
  world: ProviderContext,
  request: IncomingMessage,
  response: ServerResponse
) => Promise<void>
