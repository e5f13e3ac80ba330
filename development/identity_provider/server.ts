import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import { ChangedNames } from './changed_names.ts'
import { configuration } from './configuration.ts'
import { AccountDirectory } from './directory.ts'
import type { IdentityProviderOptions, RunningIdentityProvider } from './options.ts'
import { requestListener } from './routes.ts'
import { loadSigningKey } from './signing_key.ts'

/**
 * Starts an OpenID Connect provider for development: a login page, ready-made accounts, tokens shaped like those of the
 * real provider.
 *
 * @throws Error naming the port when it is in use, or the key file when it holds no key
 */
export async function startIdentityProvider(
  options: IdentityProviderOptions
): Promise<RunningIdentityProvider> {
  const key = await loadSigningKey(options.keysFile)
  const directory = new AccountDirectory(new ChangedNames(options.keysFile))
  const settings = configuration(options, key, directory)
  const server = createServer()
  const port = await listen(server, options)
  const issuer = options.issuer ?? `http://${urlHost(options.host)}:${port}`
  try {
    const provider = new Provider(issuer, settings)
    provider.on('server_error', (_ctx, error) => {
      process.stderr.write(`Development identity provider: ${error.stack}\n`)
    })
    server.on('request', requestListener({ options, issuer, key, directory, provider }))
  } catch (error) {
    await close(server)
    throw error
  }
  return { issuer, port, close: () => close(server) }
}

async function listen(server: Server, { host, port }: IdentityProviderOptions) {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  }).catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'EADDRINUSE' ? 'is already in use' : 'cannot be listened on'
    throw new Error(
      `Port ${port} of ${host} ${reason}: the development identity provider needs it`,
      {
        cause: error,
      }
    )
  })
  return (server.address() as AddressInfo).port
}

async function close(server: Server) {
  if (!server.listening) return
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

function urlHost(host: string) {
  return host.includes(':') ? `[${host}]` : host
}
