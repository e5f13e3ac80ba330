import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { HttpContext } from '@adonisjs/core/http'

type ClientConnection = Pick<ServerResponse, 'once' | 'destroy' | 'destroyed'>

/** What one client of Server-Sent Events still has to read. It is disconnected if it does not. */
export class EventStream {
  readonly #connection: ClientConnection
  readonly #limits: { readonly maxUnreadBytes: number }
  readonly #closing = new AbortController()
  #texts: string[] = []
  #length = 0
  #wake = Promise.withResolvers<void>()

  constructor(connection: ClientConnection, limits: { readonly maxUnreadBytes: number }) {
    this.#connection = connection
    this.#limits = limits
    connection.once('close', () => this.close())
    // A connection that closed earlier emits no further event.
    if (connection.destroyed) this.close()
  }

  get isClosed() {
    return this.#closing.signal.aborted
  }

  /** Ends the stream once everything that was offered is sent. */
  close() {
    this.#closing.abort()
    this.#wake.resolve()
  }

  onClose(listener: () => void) {
    if (this.isClosed) listener()
    else this.#closing.signal.addEventListener('abort', listener, { once: true })
  }

  /** A text that alone exceeds the limit is sent to a client that has read everything else. */
  offer(text: string) {
    if (this.isClosed) return
    const isFirst = this.#length === 0
    this.#length += Buffer.byteLength(text)
    if (!isFirst && this.#length > this.#limits.maxUnreadBytes) this.#cut()
    else this.#texts.push(text)
    this.#wake.resolve()
  }

  /** The offered texts, until the stream is closed. */
  async *texts(): AsyncGenerator<string, void> {
    for (;;) {
      const text = this.#take()
      if (text !== '') yield text
      else if (this.isClosed) return
      else await this.#wake.promise
    }
  }

  #take(): string {
    const text = this.#texts.join('')
    this.#texts = []
    this.#length = 0
    this.#wake = Promise.withResolvers<void>()
    if (this.isClosed) this.#wake.resolve()
    return text
  }

  #cut() {
    this.#texts = []
    this.close()
    this.#connection.destroy()
  }
}

/**
 * Responds with Server-Sent Events. A stream can last for days, so it takes no place of requests.
 * @param open is not called for HEAD
 */
export function sendEvents(ctx: HttpContext, open: () => AsyncIterable<string>) {
  const response = ctx.response
    .header('content-type', 'text/event-stream')
    .header('cache-control', 'no-store')
    .header('x-accel-buffering', 'no')
  if (ctx.request.method() === 'HEAD') return
  ctx.place.leave()
  response.stream(Readable.from(open(), { objectMode: false }))
}
