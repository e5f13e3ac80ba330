import {
  type ChangeRow,
  type ItemAt,
  changesSince,
  itemsSince,
  wokenBetween,
} from '#app/inbox/queries/news'
import type { InboxFollower } from '#app/inbox/stream/inbox_follower'
import { type MarkKind, markOf } from '#app/inbox/stream/event_id'
import { eventsOf } from '#app/inbox/stream/inbox_events'
import { type InboxNews, partsOf } from '#app/inbox/stream/inbox_news'
import inboxConfig from '#config/inbox'

/** What happened since a follower's horizon, in pages that it has partly received. */
export async function* missedNews({ caller, horizon }: InboxFollower): AsyncGenerator<InboxNews> {
  const { email } = caller
  const { changesAtATime, pageSize } = inboxConfig
  const news = (part: Partial<InboxNews>) => {
    return { email, changes: [], woken: [], arrived: [], ...part }
  }
  for (let changes: ChangeRow[] = [], after = 0, hasMore = true; hasMore;) {
    changes = await changesSince(email, horizon, after, changesAtATime)
    hasMore = changes.length === changesAtATime
    after = changes.at(-1)?.id ?? after
    yield news({ changes })
  }
  // After the changes: the wake of an item that was snoozed again must not be marked as received.
  for await (const woken of wokenBetween(horizon, Date.now(), email)) {
    for (let start = 0; start < woken.length; start += pageSize) {
      yield news({ woken: woken.slice(start, start + pageSize) })
    }
  }
  for (let arrived: ItemAt[] = [], hasMore = true; hasMore;) {
    arrived = await itemsSince(email, horizon, arrived.at(-1) ?? null, pageSize)
    hasMore = arrived.length === pageSize
    yield news({ arrived })
  }
}

/** The texts of what a follower missed. Ends early when it is closed. */
export async function* missedTexts(follower: InboxFollower): AsyncGenerator<string, void> {
  const began = Date.now()
  const shown = new Set<number>()
  for await (const news of missedNews(follower)) {
    if (follower.isClosed) return
    yield* newTexts(follower, news, shown)
    // Items come last and in the order of their times.
    const last = news.arrived.at(-1)?.at ?? 0
    follower.settle(Math.min(last, began - inboxConfig.settleMs))
  }
  follower.settle(began - inboxConfig.settleMs)
}

/**
 * The texts of what a follower lacks, while it also gets live events. Older changes and items must
 * not be the last that it gets, so live changes that came before them are read again.
 */
export async function* lackedTexts(follower: InboxFollower): AsyncGenerator<string, void> {
  let isOvertaken: boolean
  try {
    do {
      isOvertaken = false
      follower.watchLiveChanges(true)
      for await (const news of missedNews(follower)) {
        if (follower.isClosed) return
        const sending = () => (isOvertaken = follower.forgetLiveChanges() || isOvertaken)
        yield* newTexts(follower, news, undefined, sending)
      }
    } while (isOvertaken)
  } finally {
    follower.watchLiveChanges(false)
  }
}

/** @param sending is called before texts are sent */
async function* newTexts(
  follower: InboxFollower,
  news: InboxNews,
  shown?: Set<number>,
  sending?: () => void
): AsyncGenerator<string, void> {
  repeatLaterChanges(news.changes, follower)
  for await (const part of partsOf(withoutReceived(news, follower))) {
    const events = await eventsOf([part])
    if (follower.isClosed) return
    sending?.()
    const text = follower.receive(events.get(part)!, shown)
    if (text !== '') yield text
  }
}

/**
 * A client gets changes again whose marks did not fit into its id. An older change must not be the
 * last one that it gets about an item, so the later ones lose their marks, too.
 */
function repeatLaterChanges(changes: ChangeRow[], follower: InboxFollower) {
  const repeated = new Set<number>()
  for (const { id, kind, items } of changes) {
    // Shows items as they are now.
    if (kind === 'appeared') continue
    const mark = markOf('change', id)
    if (follower.lacks(mark) || items.some((item) => repeated.has(item))) {
      follower.forget(mark)
      for (const item of items) repeated.add(item)
    }
  }
  // What the changes of later pages are about is not known yet.
  if (repeated.size > 0) follower.forgetChangesAfter(changes.at(-1)!.id)
}

/** So that no items are read for events that would be skipped. */
function withoutReceived(news: InboxNews, follower: InboxFollower): InboxNews {
  const lacks = (kind: MarkKind) => (id: number) => follower.lacks(markOf(kind, id))
  return {
    ...news,
    changes: news.changes.filter(({ id, kind, items }) =>
      kind === 'appeared' ? items.some(lacks('arrival')) : lacks('change')(id)
    ),
    woken: news.woken.filter(({ id }) => lacks('wake')(id)),
    arrived: news.arrived.filter(({ id }) => lacks('arrival')(id)),
  }
}
