import type { Duplex } from 'node:stream'
import {
  HeadersTooLarge,
  MalformedRequest,
  PayloadTooLarge,
  RequestTimeout,
} from '#core/exceptions/problems'
import { rawProblemResponse } from '#core/exceptions/raw_problem'
import { Connection } from '#core/http/connection'

/** The code of a body that arrives in too many pieces. */
export const TOO_MANY_PIECES = 'ERR_TOO_MANY_PIECES'

/**
 * Answers what the parser could not make a request of, and requests that do not come to an end, with a problem; the
 * connection ends with it. Says nothing when an answer to an earlier request is on its way there: the client would take
 * this for that.
 */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Duplex) {
  const awaited = Connection.of(socket)?.awaited ?? []
  const isFree = awaited.every(({ headersSent, req }) => !headersSent && !req.complete)
  if (error.code === 'ECONNRESET' || !socket.writable || !isFree) return socket.destroy()
  socket.end(rawProblemResponse(problemOf(error)), () => socket.destroy())
}

function problemOf({ code }: NodeJS.ErrnoException) {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new RequestTimeout()
    case 'HPE_HEADER_OVERFLOW':
      return new HeadersTooLarge()
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
    case TOO_MANY_PIECES:
      return new PayloadTooLarge()
    default:
      return new MalformedRequest()
  }
}
