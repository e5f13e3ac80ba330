import type { FeedEvent } from '#app/change_feed/values/feed_event'

/** Formats each event once for all followers. */
const formatted = new WeakMap<FeedEvent, string>()

/**
 * Only the last event of a revision has its id, so that a client that resumes after it misses none.
 */
export function formatEvents(events: FeedEvent[]): string {
  return events
    .map((event, index) => {
      const isLast = event.revision !== events[index + 1]?.revision
      return (isLast ? `id: ${event.revision}\n` : '') + contentOf(event)
    })
    .join('')
}

export function formatHeartbeat(revision: number): string {
  return `event: heartbeat\ndata: ${JSON.stringify({ revision })}\n\n`
}

function contentOf(event: FeedEvent): string {
  const known = formatted.get(event)
  if (known !== undefined) return known
  const { type, ...data } = event
  const content = `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`
  formatted.set(event, content)
  return content
}
