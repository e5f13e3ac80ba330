import {
  type ChangeRow,
  type ItemAt,
  changesSince,
  itemsSince,
  wokenBetween,
} from '#app/inbox/queries/news'
import type { InboxFollower } from '#app/inbox/stream/inbox_follower'
import { type InboxNews, eventsOf } from '#app/inbox/stream/inbox_events'
import inboxConfig from '#config/inbox'

const CHANGES_AT_A_TIME = 500
const { pageSize } = inboxConfig

/** What happened since a follower's horizon, in pages that it has partly received. */
export async function* missedNews({ caller, horizon }: InboxFollower): AsyncGenerator<InboxNews> {
  const { email } = caller
  const news = (part: Partial<InboxNews>) => {
    return { email, changes: [], woken: [], arrived: [], ...part }
  }
  for (let changes: ChangeRow[] = [], after = 0, hasMore = true; hasMore;) {
    changes = await changesSince(email, horizon, after, CHANGES_AT_A_TIME)
    hasMore = changes.length === CHANGES_AT_A_TIME
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
    const text = follower.receive((await eventsOf([news])).get(news)!, shown)
    // Items come last and in the order of their times.
    const last = news.arrived.at(-1)?.at ?? 0
    follower.settle(Math.min(last, began - inboxConfig.settleMs))
    if (text !== '') yield text
  }
  follower.settle(began - inboxConfig.settleMs)
}
