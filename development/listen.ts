import type { AddressInfo, Server as NetServer } from 'node:net'
import type { Server } from 'node:http'

/**
 * Returns the port.
 * @param purpose used in the error message: `development ${purpose}`
 * @throws Error that names the port if it is in use
 */
export async function listen(
  server: NetServer,
  { host, port }: { host: string; port: number },
  purpose: string
): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  }).catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code === 'EADDRINUSE' ? 'is already in use' : 'is not available'
    throw new Error(`Port ${port} of ${host}, for the development ${purpose}, ${reason}`, { cause })
  })
  return (server.address() as AddressInfo).port
}

/** Also closes keep-alive connections. */
export async function close(server: Server) {
  if (!server.listening) return
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
