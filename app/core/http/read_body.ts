import type { IncomingMessage } from 'node:http'
import type { HttpContext } from '@adonisjs/core/http'
import { MalformedJson, PayloadTooLarge } from '#core/exceptions/problems'

/** Whether a request's headers announce a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined) return true
  const length = headers['content-length']
  return length !== undefined && length !== '0'
}

/**
 * The exact bytes of a request's body. Until it is complete, the request counts as arriving.
 *
 * @throws PayloadTooLarge when there are more than `limit` bytes; the connection is closed after
 * the answer
 * @throws MalformedJson when the connection ends before the body does
 * @throws RateLimited, Overloaded when there is no place, or too much is on its way already
 */
export async function readBody({ request, place }: HttpContext, limit: number) {
  if (Number(request.request.headers['content-length']) > limit) throw tooLarge(limit)
  place.awaitBody()
  const body = await collect(request.request, (chunk, size) => {
    if (size > limit) throw tooLarge(limit)
    place.receive(chunk)
  })
  place.begin()
  return body
}

/**
 * @param count Called with the size of each chunk and of all so far; reading ends if it throws
 */
function collect(request: IncomingMessage, count: (chunk: number, size: number) => void) {
  return new Promise<Buffer>((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const onData = (chunk: Buffer) => {
      size += chunk.length
      try {
        count(chunk.length, size)
        chunks.push(chunk)
      } catch (error) {
        request.off('data', onData)
        request.resume()
        reject(error)
      }
    }
    request
      .on('data', onData)
      .once('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)))
      // Whoever sent it is gone, or sent too slowly: nothing of ours has failed.
      .once('error', (cause) => reject(new MalformedJson({ detail: 'The body is cut off', cause })))
  })
}

function tooLarge(limit: number) {
  return new PayloadTooLarge({
    details: { limit },
    // What the client still sends is not read, so the connection cannot be used again.
    headers: { connection: 'close' },
  })
}
