import type { IncomingMessage } from 'node:http'
import { MalformedJson, Overloaded, PayloadTooLarge } from '#core/exceptions/problems'
import type { ArrivingRequest } from '#core/http/arriving_request'
import { GrowingBuffer } from '#core/http/growing_buffer'
import type { Place } from '#core/http/place'

const EMPTY = Buffer.alloc(0)
/** How long the decision of the guards stays valid while a body arrives. */
const TRUSTED_MS = 10

/** An `HttpContext` is one. */
export interface BodySource {
  request: { request: IncomingMessage }
  place: Place
}

export function hasBody({ headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined) return true
  const length = headers['content-length']
  return length !== undefined && length !== '0'
}

/** @throws PayloadTooLarge, MalformedJson, RateLimited, Overloaded */
export async function readBody({ request, place }: BodySource, limit: number) {
  const { request: incoming } = request
  if (Number(incoming.headers['content-length']) > limit) throw tooLarge(limit)
  const startedAt = performance.now()
  const body = await collect(incoming as ArrivingRequest, place, limit)
  place.bodyMs = performance.now() - startedAt
  place.begin()
  return body
}

/** While a body was arriving, its sender may have lost the access that the guards checked. */
export const isTrusted = ({ bodyMs }: Place) => bodyMs <= TRUSTED_MS

function collect(request: ArrivingRequest, place: Place, limit: number) {
  return new Promise<Buffer>((resolve, reject) => {
    // The client disconnected during a guard. Nothing more arrives, so the place would stay taken.
    if (request.destroyed) return reject(disconnected())
    const count = (memory: number, size: number) => {
      if (size > limit) throw tooLarge(limit)
      place.receive(memory)
    }
    let buffer: GrowingBuffer | undefined
    let isStopped = false
    const onData = (chunk: Buffer) => {
      try {
        if (buffer) {
          const capacityBefore = buffer.capacity
          buffer.append(chunk)
          count(buffer.capacity - capacityBefore, buffer.length)
        } else {
          buffer = new GrowingBuffer(chunk)
          count(chunk.length, chunk.length)
        }
      } catch (error) {
        stop(error)
      }
    }
    const stop = (error: unknown) => {
      isStopped = true
      buffer = undefined
      request.off('data', onData).off('overflow', onOverflow)
      request.resume()
      reject(error)
    }
    const onOverflow = () => stop(tooManyChunks())
    const onEnd = () => resolve(buffer?.bytes ?? EMPTY)
    place.awaitBody(() => stop(tooSlow()))
    const isHandedOver = request.handOver((chunk) => {
      if (chunk === null) onEnd()
      else if (!isStopped) onData(chunk)
    })
    if (!isHandedOver) request.on('data', onData).once('end', onEnd)
    request
      .once('overflow', onOverflow)
      // The client disconnected or sent too slowly, so this is not an error of the service.
      .once('error', (cause) => reject(disconnected(cause)))
  })
}

function disconnected(cause?: unknown) {
  return new MalformedJson({ detail: 'The connection ended before the body was complete', cause })
}

function tooSlow() {
  const detail = 'The body arrived too slowly while many others were arriving'
  return new Overloaded({ detail, headers: { 'retry-after': '1', 'connection': 'close' } })
}

function tooManyChunks() {
  const detail = 'The body arrived in too many small chunks'
  return new PayloadTooLarge({ detail, headers: { connection: 'close' } })
}

function tooLarge(limit: number) {
  return new PayloadTooLarge({
    details: { limit },
    // The rest of the body is not read, so the connection cannot be reused.
    headers: { connection: 'close' },
  })
}
