import type { IncomingMessage } from 'node:http'
import type { HttpContext } from '@adonisjs/core/http'
import { MalformedJson, Overloaded, PayloadTooLarge } from '#core/exceptions/problems'
import { ArrivingRequest } from '#core/http/arriving_request'
import { GatheredBytes } from '#core/http/gathered_bytes'

const NOTHING = Buffer.alloc(0)

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
  const { request: incoming } = request
  if (Number(incoming.headers['content-length']) > limit) throw tooLarge(limit)
  // The parser goes through the packet of the headers first. Most bodies are in it.
  await undefined
  if (incoming instanceof ArrivingRequest && incoming.isWhole) {
    const body: Buffer = incoming.read() ?? NOTHING
    if (body.length > limit) throw tooLarge(limit)
    place.begin()
    return body
  }
  const collecting = new AbortController()
  place.awaitBody(() => collecting.abort(tooSlow()))
  const count = (memory: number, size: number) => {
    if (size > limit) throw tooLarge(limit)
    place.receive(memory)
  }
  const body = await collect(incoming, count, collecting.signal)
  place.begin()
  return body
}

/**
 * @param count Called with the memory that each piece takes and the size of all so far; reading
 * ends if it throws
 * @param signal Ends reading with its reason
 */
function collect(
  request: IncomingMessage,
  count: (memory: number, size: number) => void,
  signal: AbortSignal
) {
  return new Promise<Buffer>((resolve, reject) => {
    let gathered: GatheredBytes | undefined
    const onData = (piece: Buffer) => {
      try {
        if (gathered) {
          const before = gathered.capacity
          gathered.append(piece)
          count(gathered.capacity - before, gathered.length)
        } else {
          gathered = new GatheredBytes(piece)
          count(piece.length, piece.length)
        }
      } catch (error) {
        stop(error)
      }
    }
    const stop = (error: unknown) => {
      gathered = undefined
      request.off('data', onData).off('overflow', onOverflow)
      request.resume()
      reject(error)
    }
    const onOverflow = () => stop(tooManyPieces())
    signal.addEventListener('abort', () => stop(signal.reason))
    request
      .on('data', onData)
      .once('overflow', onOverflow)
      .once('end', () => resolve(gathered?.bytes ?? NOTHING))
      // Whoever sent it is gone, or sent too slowly: nothing of ours has failed.
      .once('error', (cause) => reject(new MalformedJson({ detail: 'The body is cut off', cause })))
  })
}

function tooSlow() {
  const detail = 'The body arrived too slowly while many others were arriving'
  return new Overloaded({ detail, headers: { 'retry-after': '1', 'connection': 'close' } })
}

function tooManyPieces() {
  const detail = 'The body arrived in too many small pieces'
  return new PayloadTooLarge({ detail, headers: { connection: 'close' } })
}

function tooLarge(limit: number) {
  return new PayloadTooLarge({
    details: { limit },
    // What the client still sends is not read, so the connection cannot be used again.
    headers: { connection: 'close' },
  })
}
