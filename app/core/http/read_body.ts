import type { IncomingMessage } from 'node:http'
import { MalformedJson, PayloadTooLarge } from '#core/exceptions/problems'

/**
 * The exact bytes of a request's body.
 *
 * @throws PayloadTooLarge when there are more than `limit` bytes; the connection is closed after the answer
 * @throws MalformedJson when the connection ends before the body does
 */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  if (Number(request.headers['content-length']) > limit) return Promise.reject(tooLarge(limit))
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const onData = (chunk: Buffer) => {
      size += chunk.length
      if (size <= limit) {
        chunks.push(chunk)
        return
      }
      request.off('data', onData)
      request.resume()
      reject(tooLarge(limit))
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
