import type { ServerResponse } from 'node:http'
import type { EventPage } from '#app/change_feed/queries/read_events'
import { formatEvents, formatHeartbeat } from '#app/change_feed/stream/server_sent_events'
import type { Domain, FeedEvent } from '#app/change_feed/values/feed_event'
import feedConfig from '#config/change_feed'

type ClientConnection = Pick<ServerResponse, 'once' | 'destroy' | 'destroyed'>

/** A client of the change feed. It is disconnected if it does not read. */
export class Follower {
  readonly #connection: ClientConnection
  readonly #closing = new AbortController()
  #texts: string[] = []
  #length = 0
  #wake = Promise.withResolvers<void>()

  /** @param revision the client has every event up to this one */
  constructor(
    readonly domains: ReadonlySet<Domain>,
    public revision: number,
    connection: ClientConnection
  ) {
    this.#connection = connection
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

  /** Marks a page as received. @returns the text of the events that are new to the client */
  receive({ events, revision }: EventPage): string {
    const isReset = events[0]?.type === 'reset'
    const news = isReset ? events : events.filter((event) => this.#lacks(event))
    this.revision = isReset ? revision : Math.max(revision, this.revision)
    return formatEvents(news)
  }

  deliver(page: EventPage) {
    const text = this.receive(page)
    if (text !== '') this.#offer(text)
  }

  /** Tells the client that it has every event up to its revision. */
  beat() {
    this.#offer(formatHeartbeat(this.revision))
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

  #lacks({ type, revision }: FeedEvent) {
    return type !== 'reset' && this.domains.has(type) && revision > this.revision
  }

  #offer(text: string) {
    if (this.isClosed) return
    this.#length += Buffer.byteLength(text)
    if (this.#length > feedConfig.maxUnreadBytes) this.#cut()
    else this.#texts.push(text)
    this.#wake.resolve()
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
