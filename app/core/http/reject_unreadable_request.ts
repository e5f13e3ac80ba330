import type { Duplex } from 'node:stream'
import {
  HeadersTooLarge,
  MalformedRequest,
  PayloadTooLarge,
  RequestTimeout,
} from '#core/exceptions/problems'
import { rawProblemResponse } from '#core/exceptions/raw_problem'
import { Connection } from '#core/http/connection'

export const TOO_MANY_CHUNKS = 'ERR_TOO_MANY_PIECES'

/**
 * No problem is sent if it would look like an earlier response that is pending, or like the
 * response to a later request: a proxy would give it to another client.
 */
export function rejectUnreadableRequest(error: NodeJS.ErrnoException, socket: Duplex) {
  const connection = Connection.of(socket)
  const pending = connection?.pendingResponses ?? []
  const canRespond =
    !connection?.isReadingAnsweredRequest &&
    pending.every(({ headersSent, req }) => !headersSent && !req.complete)
  if (error.code === 'ECONNRESET' || !socket.writable || !canRespond) return socket.destroy()
  socket.end(rawProblemResponse(problemOf(error)), () => socket.destroy())
}

function problemOf({ code }: NodeJS.ErrnoException) {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new RequestTimeout()
    case 'HPE_HEADER_OVERFLOW':
      return new HeadersTooLarge()
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
    case TOO_MANY_CHUNKS:
      return new PayloadTooLarge()
    default:
      return new MalformedRequest()
  }
}
