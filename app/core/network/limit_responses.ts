import { subscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import type { MeteredSocket } from '#core/network/metered_socket'
import { OutboundError } from '#core/network/outbound_error'

/** Bytes received since the last request was sent. */
const received = new WeakMap<Socket, number>()
const encrypted = new WeakMap<Socket, () => void>()

subscribe('undici:client:sendHeaders', (message) => {
  const { socket } = message as { socket: Socket }
  if (received.has(socket)) received.set(socket, 0)
  encrypted.get(socket)?.()
})

/**
 * Ends the connection when a response takes more than `maxBytes` (conventions.md#outgoing-limits).
 * The parser does not limit informational responses, empty lines, extensions of chunks and what
 * arrives after a response. With TLS, this is about decrypted bytes; twice as many encrypted ones
 * are allowed.
 *
 * @param metered the encrypted side
 */
export function limitResponses(socket: Socket, maxBytes: number, metered?: MeteredSocket) {
  const allow = () => metered?.allow(2 * maxBytes)
  encrypted.set(socket, allow)
  allow()
  received.set(socket, 0)
  const push = socket.push.bind(socket)
  socket.push = (chunk: Buffer | null, encoding) => {
    const size = received.get(socket)! + (chunk?.length ?? 0)
    received.set(socket, size)
    if (size <= maxBytes) return push(chunk, encoding)
    socket.destroy(new OutboundError('too_large'))
    return false
  }
}
