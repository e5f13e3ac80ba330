import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import logger from '@adonisjs/core/services/logger'
import { describeError } from '#core/exceptions/describe_error'
import { Turns } from '#core/values/turns'
import { unreadCounts } from '#app/inbox/queries/inbox'
import { eventsOf } from '#app/inbox/stream/inbox_events'
import { type InboxFollower, formatEvent } from '#app/inbox/stream/inbox_follower'
import { type InboxNews, countRows, fittingNews, sliceNews } from '#app/inbox/stream/inbox_news'
import inboxConfig from '#config/inbox'

/** Of one user. */
interface WaitingNews {
  queue: { news: InboxNews; foundAt: number }[]
  /** How many rows of the first news were delivered. */
  delivered: number
  /** Every event until then was delivered. */
  settledAt: number
  /** The ids of the items that these news have shown to each client. */
  shown: WeakMap<InboxFollower, Set<number>>
  /** Until when clients can read what they got before the rest follows. */
  restsUntil: number
}

/**
 * Delivers news to the followers of each user, in order. Many or large news are delivered in parts,
 * so that they delay neither requests nor the news of others.
 */
export class NewsDelivery {
  readonly #waiting = new Map<string, WaitingNews>()
  readonly #followersOf: (email: string) => ReadonlySet<InboxFollower> | undefined
  #settledAt = 0
  #isDelivering = false

  constructor(followersOf: (email: string) => ReadonlySet<InboxFollower> | undefined) {
    this.#followersOf = followersOf
  }

  /** Until when every event of a user was delivered. */
  settledAt(email: string): number {
    return this.#waiting.get(email)?.settledAt ?? this.#settledAt
  }

  /** @param settledAt until when these and earlier news are all that happened */
  add(all: InboxNews[], settledAt: number) {
    const foundAt = performance.now()
    for (const news of all) {
      const waiting = this.#waiting.get(news.email)
      if (waiting) waiting.queue.push({ news, foundAt })
      else {
        this.#waiting.set(news.email, {
          queue: [{ news, foundAt }],
          delivered: 0,
          settledAt: this.#settledAt,
          shown: new WeakMap(),
          restsUntil: 0,
        })
      }
    }
    this.#settledAt = settledAt
    if (!this.#isDelivering) void this.#deliverAll()
  }

  async #deliverAll() {
    this.#isDelivering = true
    try {
      while (this.#waiting.size > 0) {
        const parts = this.#nextParts()
        if (parts.length > 0) await this.#deliver(await fittingNews(parts))
        else if (this.#waiting.size > 0) await pause(inboxConfig.pauseMs, null, { ref: false })
        await nextTurn()
      }
    } catch (error) {
      logger.warn({ error: describeError(error) }, 'Could not deliver new inbox items')
      this.#giveUp()
    }
    this.#isDelivering = false
  }

  /** Of as many users as possible. */
  #nextParts(): InboxNews[] {
    const parts: InboxNews[] = []
    let room = inboxConfig.slice
    for (const [email, { queue, delivered, restsUntil }] of this.#waiting) {
      const followers = this.#followersOf(email)
      if (!followers) this.#waiting.delete(email)
      else if (restsUntil <= performance.now() || areCaughtUp(followers)) {
        const end = delivered + Math.min(inboxConfig.pageSize, room)
        const part = sliceNews(queue[0].news, delivered, end)
        parts.push(part)
        room -= countRows(part)
        if (room === 0) break
      }
    }
    return parts
  }

  async #deliver(parts: InboxNews[]) {
    const events = await eventsOf(parts)
    const counts = await unreadCounts(parts.map(({ email }) => email))
    const turns = new Turns()
    for (const [part, list] of events) {
      const { email } = part
      const { queue, shown } = this.#waiting.get(email)!
      const state = formatUnreadCount(counts.get(email)!)
      for (const follower of this.#followersOf(email) ?? []) {
        if (follower.liveSince <= queue[0].foundAt) {
          follower.deliver(list, state, shownTo(follower, shown))
        }
        if (turns.isOver) await turns.next()
      }
      this.#advance(email, countRows(part))
    }
  }

  #advance(email: string, rows: number) {
    const waiting = this.#waiting.get(email)!
    waiting.delivered += rows
    if (waiting.delivered === countRows(waiting.queue[0].news)) {
      waiting.queue.shift()
      waiting.delivered = 0
    }
    this.#waiting.delete(email)
    if (waiting.queue.length === 0) return
    // Behind the other users.
    waiting.restsUntil = performance.now() + inboxConfig.restMs
    this.#waiting.set(email, waiting)
  }

  /** What was found is not found again, but clients resume at their position. */
  #giveUp() {
    for (const email of this.#waiting.keys()) {
      for (const follower of this.#followersOf(email) ?? []) follower.end('shutdown')
    }
    this.#waiting.clear()
  }
}

export const formatUnreadCount = (count: number) => formatEvent('unread-count', { count })

function shownTo(follower: InboxFollower, shown: WaitingNews['shown']): Set<number> {
  const known = shown.get(follower) ?? new Set()
  shown.set(follower, known)
  return known
}

function areCaughtUp(followers: Iterable<InboxFollower>): boolean {
  for (const follower of followers) if (follower.isLive && !follower.hasSentAll) return false
  return true
}
