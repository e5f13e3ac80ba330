import { once } from 'node:events'
import { guardedSocket } from '#core/network/guarded_socket'
import mailConfig from '#config/mail'

/** @throws Error unless the platform's mail server accepts a connection and sends a greeting */
export async function probeMailServer(): Promise<void> {
  const { host, port, secure } = mailConfig.smtp!
  const socket = guardedSocket({ host, port }, 'operator')
  const signal = AbortSignal.timeout(mailConfig.connectMs)
  try {
    // A server that expects TLS does not greet before it.
    await once(socket, secure ? 'connect' : 'data', { signal })
  } finally {
    socket.destroy()
  }
}
