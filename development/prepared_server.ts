import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHttpServer } from '#core/http/http_server'

type Handle = Parameters<typeof createHttpServer>[0]

/**
 * Creates a server that listens only after `prepare` has used the API, through a port that is not
 * announced.
 */
export function createPreparedServer(handle: Handle, prepare: (url: string) => Promise<void>) {
  const server = createHttpServer(handle)
  const listen = server.listen.bind(server) as (...options: unknown[]) => Server
  server.listen = (...options: unknown[]) => {
    withPrivatePort(handle, prepare).then(
      () => listen(...options),
      (error) => server.emit('error', error)
    )
    return server
  }
  return server
}

async function withPrivatePort(handle: Handle, use: (url: string) => Promise<void>) {
  const server = createHttpServer(handle).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.close()
    server.closeAllConnections()
  }
}
