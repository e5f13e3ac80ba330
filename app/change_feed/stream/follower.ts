import type { ServerResponse } from 'node:http'
import { EventStream } from '#core/http/event_stream'
import type { EventPage } from '#app/change_feed/queries/read_events'
import { formatEvents, formatHeartbeat } from '#app/change_feed/stream/server_sent_events'
import type { Domain, FeedEvent } from '#app/change_feed/values/feed_event'
import feedConfig from '#config/change_feed'

/** A client of the change feed. */
export class Follower extends EventStream {
  /** @param revision the client has every event up to this one */
  constructor(
    readonly domains: ReadonlySet<Domain>,
    public revision: number,
    connection: Pick<ServerResponse, 'once' | 'destroy' | 'destroyed'>
  ) {
    super(connection, feedConfig)
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
    if (text !== '') this.offer(text)
  }

  /** Tells the client that it has every event up to its revision. */
  beat() {
    this.offer(formatHeartbeat(this.revision))
  }

  #lacks({ type, revision }: FeedEvent) {
    return type !== 'reset' && this.domains.has(type) && revision > this.revision
  }
}
