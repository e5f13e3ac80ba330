import type { AddressInfo, Server as NetServer } from 'node:net'
import type { Server } from 'node:http'

/**
 * Listens and answers the port.
 *
 * @param purpose what needs the port, for the message: `development ${purpose}`
 * @throws Error naming the port when it is in use
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
    const reason = cause.code === 'EADDRINUSE' ? 'is already in use' : 'cannot be listened on'
    throw new Error(`Port ${port} of ${host} ${reason}: the development ${purpose} needs it`, {
      cause,
    })
  })
  return (server.address() as AddressInfo).port
}

/** Stops at once, connections that are kept alive included. */
export async function close(server: Server) {
  if (!server.listening) return
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
