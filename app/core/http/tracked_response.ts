import { type IncomingMessage, ServerResponse } from 'node:http'
import { ArrivingRequest } from '#core/http/arriving_request'
import type { Connection } from '#core/http/connection'
import type { Place } from '#core/http/place'
import type { RecordedRequest } from '#core/http/record_request'

export class TrackedResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  peer: Connection | undefined
  place: Place | undefined
  /** Settles when the request handler has finished. */
  work: unknown
  /**
   * Called once the response is sent or the client is gone. Not a closure, to relieve garbage
   * collection.
   */
  completed: ((context: RecordedRequest) => void) | undefined
  context: RecordedRequest | undefined
  /**
   * Set if the body is read before the request has a context. Rejects with the reason if the
   * request failed before that.
   */
  body: Promise<Buffer> | undefined

  /** Frees the place of the request, even if the client does not read the response. */
  override end(chunk?: unknown, encoding?: unknown, callback?: unknown): this {
    super.end(chunk, encoding as BufferEncoding, callback as () => void)
    if (this.req instanceof ArrivingRequest) this.req.discardRest()
    this.place?.leave()
    if (!this.socket || this.socket.writableLength > 0) this.peer?.watch()
    return this
  }

  override write(chunk: unknown, encoding?: unknown, callback?: unknown): boolean {
    const isFlushed = super.write(chunk, encoding as BufferEncoding, callback as () => void)
    if (!isFlushed) this.peer?.watch()
    return isFlushed
  }
}
