import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { HttpContext } from '@adonisjs/core/http'

type ClientConnection = Pick<ServerResponse, 'once' | 'destroy' | 'destroyed'>

/** What one client of Server-Sent Events still has to read. It is disconnected if it does not. */
export class EventStream {
  readonly body = new Readable({ read: () => this.#onRead?.() })
  readonly #connection: ClientConnection
  readonly #limits: { readonly maxUnreadBytes: number }
  readonly #closeListeners: (() => void)[] = []
  #isClosed = false
  /** Called once the client has read what there was. */
  #onRead: (() => void) | undefined

  constructor(connection: ClientConnection, limits: { readonly maxUnreadBytes: number }) {
    this.#connection = connection
    this.#limits = limits
    connection.once('close', () => this.close())
    // A connection that closed earlier emits no further event.
    if (connection.destroyed) this.close()
  }

  get isClosed() {
    return this.#isClosed
  }

  /** Whether everything that was offered has been handed to the connection. */
  get hasSentAll() {
    return this.body.readableLength === 0
  }

  /** Ends the stream once everything that was offered is sent. */
  close() {
    if (this.#isClosed) return
    this.#isClosed = true
    if (!this.body.destroyed) this.body.push(null)
    this.#onRead?.()
    for (const listener of this.#closeListeners) listener()
  }

  onClose(listener: () => void) {
    if (this.#isClosed) listener()
    else this.#closeListeners.push(listener)
  }

  /** A text that alone exceeds the limit is sent to a client that has read everything else. */
  offer(text: string) {
    if (this.#isClosed) return
    const unread = this.body.readableLength
    if (unread > 0 && unread + Buffer.byteLength(text) > this.#limits.maxUnreadBytes) this.#cut()
    else this.body.push(text)
  }

  /** Sends texts as fast as the client reads them. */
  async send(texts: AsyncIterable<string>) {
    try {
      // Nobody would hear of an error before that.
      await this.#untilRead()
      for await (const text of texts) {
        if (this.#isClosed) return
        if (text !== '' && !this.body.push(text)) await this.#untilRead()
      }
    } catch (error) {
      this.body.destroy(error as Error)
    }
  }

  async #untilRead() {
    if (this.#isClosed) return
    await new Promise<void>((resolve) => (this.#onRead = resolve))
    this.#onRead = undefined
  }

  #cut() {
    this.close()
    this.#connection.destroy()
  }
}

/**
 * Responds with Server-Sent Events. A stream can last for days, so it takes no place of requests.
 * @param open is not called for HEAD
 */
export function sendEvents(ctx: HttpContext, open: () => EventStream) {
  const response = ctx.response
    .header('content-type', 'text/event-stream')
    .header('cache-control', 'no-store')
    .header('x-accel-buffering', 'no')
  if (ctx.request.method() === 'HEAD') return
  ctx.place.leave()
  response.stream(open().body)
}
