import { createServer } from 'node:http'
import { Provider } from 'oidc-provider'
import { close, listen } from '#development/listen'
import { configuration } from './configuration.ts'
import { AccountDirectory } from './directory.ts'
import { DevelopmentApi } from './development_api.ts'
import type { IdentityProviderOptions, RunningIdentityProvider } from './options.ts'
import { requestListener } from './routes.ts'
import { loadSigningKey } from './signing_key.ts'
import { StateFile } from './state_file.ts'

/**
 * Starts an OpenID Connect provider with ready-made accounts and tokens like those of the real
 * one.
 * @throws Error if the port is in use or the key file is invalid
 */
export async function startIdentityProvider(
  options: IdentityProviderOptions
): Promise<RunningIdentityProvider> {
  const key = await loadSigningKey(options.keysFile)
  const file = new StateFile(options.keysFile)
  const directory = new AccountDirectory(file)
  const settings = configuration(options, key, file)
  const server = createServer()
  const port = await listen(server, options, 'identity provider')
  const issuer = options.issuer ?? `http://${urlHost(options.host)}:${port}`
  const api = new DevelopmentApi(file, options.serviceAccountToken, issuer)
  try {
    const provider = new Provider(issuer, settings)
    provider.on('server_error', (_ctx, error) => {
      process.stderr.write(`Development identity provider: ${error.stack}\n`)
    })
    server.on('request', requestListener({ options, issuer, key, directory, provider, api, file }))
  } catch (error) {
    await close(server)
    throw error
  }
  return { issuer, port, close: () => close(server) }
}

function urlHost(host: string) {
  return host.includes(':') ? `[${host}]` : host
}
