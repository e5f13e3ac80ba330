import { setImmediate as nextTurn } from 'node:timers/promises'
import logger from '@adonisjs/core/services/logger'
import { describeError } from '#core/exceptions/describe_error'
import { outsideRequests } from '#core/http/outside_requests'
import { Budget } from '#core/values/budget'
import { Deadline } from '#core/values/deadline'
import { onInboxNews } from '#app/delivery/inbox_news'
import { isStillSignedIn } from '#app/auth/panel/is_still_authorized'
import { unreadCounts } from '#app/inbox/queries/inbox'
import { type InboxFollower, formatEvent } from '#app/inbox/stream/inbox_follower'
import { eventsWithoutItems } from '#app/inbox/stream/inbox_events'
import { lackedTexts, missedNews, missedTexts } from '#app/inbox/stream/missed_news'
import { NewsDelivery, formatUnreadCount } from '#app/inbox/stream/news_delivery'
import { NewsReader } from '#app/inbox/stream/news_reader'
import inboxConfig from '#config/inbox'

/** Clients come back after this, or up to twice as long, so that they do not all come together. */
const RETRY_MS = 1_000
/** For a client that has too many streams already. */
const LATER_MS = 60_000
/** The longest that a timer can wait; longer ones would fire immediately. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1

/** Sends what is new in inboxes to the clients that follow them (inbox.md#stream). */
export class InboxStreams {
  readonly #byEmail = new Map<string, Set<InboxFollower>>()
  readonly #reader = new NewsReader()
  readonly #delivery = new NewsDelivery((email) => this.#byEmail.get(email))
  readonly #openings = new Budget(inboxConfig.openedTogether, 1)
  #size = 0
  #isStarted: Promise<void> | null = null
  #round: Promise<void> | null = null
  #isStale = false
  #lastRound = -Infinity
  #upcoming?: NodeJS.Timeout
  #polls?: NodeJS.Timeout
  #heartbeats?: NodeJS.Timeout
  #deafen?: () => void

  get size() {
    return this.#size
  }

  get isFull() {
    return this.#size >= inboxConfig.maxStreams
  }

  /** The open streams of all users, or of one. */
  *followers(email?: string): Generator<InboxFollower> {
    if (email !== undefined) return yield* this.#byEmail.get(email) ?? []
    for (const followers of this.#byEmail.values()) yield* followers
  }

  /** Sends what a follower missed since its position, and news from then on. */
  follow(follower: InboxFollower) {
    this.#add(follower)
    const expiry = endWithToken(follower)
    follower.onClose(() => {
      clearTimeout(expiry)
      this.#forget(follower)
    })
    void follower.send(this.#open(follower))
  }

  /** Ends all streams; clients resume them at another process. */
  close() {
    for (const follower of this.followers()) follower.end('shutdown')
  }

  /**
   * However many streams are opened, the service works on a few at a time, and on one of each user:
   * after an interruption all clients come back at once. The others wait with an open stream.
   */
  async *#open(follower: InboxFollower): AsyncGenerator<string, void> {
    yield `retry: ${Math.round(RETRY_MS * (1 + Math.random()))}\n\n`
    const texts = this.#beginningFor(follower)
    for (;;) {
      const { done, value } = await this.#inTurn(follower, () =>
        follower.isClosed ? texts.return() : texts.next()
      )
      if (done) return
      yield value
    }
  }

  async #inTurn<Result>(follower: InboxFollower, work: () => Promise<Result>): Promise<Result> {
    const { email } = follower.caller
    const turn = await this.#openings.reserve(email, 1, new Deadline(LONGEST_TIMEOUT_MS))
    try {
      return await work()
    } finally {
      turn?.release()
    }
  }

  async *#beginningFor(follower: InboxFollower): AsyncGenerator<string, void> {
    await this.start()
    // The user may have been deactivated since the guards.
    if (!(await isStillSignedIn(follower.caller))) return follower.end('signed_out')
    if (follower.position === null) await markAll(follower)
    else if (isTooOld(follower)) yield* reset(follower)
    else yield* missedTexts(follower)
    if (!follower.isClosed) yield* this.#join(follower)
  }

  /** Must precede the first event. @throws if the database is unavailable */
  start(): Promise<void> {
    this.#isStarted ??= this.#reader.start().catch((error: unknown) => {
      this.#isStarted = null
      throw error
    })
    return this.#isStarted
  }

  /** Between the last read and now, a round may have passed that the follower was no part of. */
  async *#join(follower: InboxFollower): AsyncGenerator<string, void> {
    const { email } = follower.caller
    // Events between its horizon and the last round are offered only by the pages that follow.
    follower.goLive(() => follower.horizon)
    yield* lackedTexts(follower)
    if (follower.isClosed) return
    follower.goLive(() => this.#delivery.settledAt(email))
    follower.tell(formatUnreadCount((await unreadCounts([email])).get(email)!))
  }

  #add(follower: InboxFollower) {
    const { email } = follower.caller
    const others = this.#byEmail.get(email) ?? new Set()
    if (others.size >= inboxConfig.maxStreamsPerUser) endOldest(others)
    this.#byEmail.set(email, others.add(follower))
    this.#size++
    if (this.#size === 1) this.#begin()
  }

  #forget(follower: InboxFollower) {
    const { email } = follower.caller
    const others = this.#byEmail.get(email)
    if (!others?.delete(follower)) return
    if (others.size === 0) this.#byEmail.delete(email)
    this.#size--
    if (this.#size === 0) this.#end()
  }

  #begin() {
    this.#deafen = onInboxNews(() => this.#distributeSoon())
    this.#polls = setInterval(() => void this.#distribute(), inboxConfig.pollMs).unref()
    this.#heartbeats = setInterval(() => void this.#beat(), inboxConfig.heartbeatMs).unref()
  }

  #end() {
    this.#deafen?.()
    clearInterval(this.#polls)
    clearInterval(this.#heartbeats)
    clearTimeout(this.#upcoming)
    this.#upcoming = undefined
    this.#isStarted = null
  }

  async #beat() {
    let visited = 0
    for (const follower of this.followers()) {
      if (follower.isLive) follower.beat()
      if (++visited % inboxConfig.slice === 0) await nextTurn()
    }
  }

  /** Immediately, unless the last distribution was just now: then many sends share the next one. */
  #distributeSoon() {
    if (this.#upcoming !== undefined) return
    const dueInMs = this.#lastRound + inboxConfig.pauseMs - performance.now()
    this.#upcoming = setTimeout(
      () => {
        this.#upcoming = undefined
        void this.#distribute()
      },
      Math.max(0, dueInMs)
    ).unref()
  }

  /** Simultaneous calls share the work. */
  #distribute(): Promise<void> {
    this.#isStale = true
    this.#round ??= outsideRequests(() => this.#distributeAll()).finally(() => {
      this.#round = null
    })
    return this.#round
  }

  async #distributeAll() {
    while (this.#isStale && this.#isStarted !== null && this.#size > 0) {
      this.#isStale = false
      try {
        await this.#isStarted
        await this.#distributeOnce()
      } catch (error) {
        logger.warn({ error: describeError(error) }, 'Could not read new inbox items')
      }
      this.#lastRound = performance.now()
    }
  }

  async #distributeOnce() {
    const news = await this.#reader.read((email) => this.#byEmail.has(email))
    this.#delivery.add(news, this.#reader.settledAt)
  }
}

/** A timer for each, because looking at all of them twice a second was a fifth of their cost. */
function endWithToken(follower: InboxFollower): NodeJS.Timeout {
  const leftMs = Math.min(follower.caller.expiresAt - Date.now(), LONGEST_TIMEOUT_MS)
  return setTimeout(() => follower.end('token_expired'), leftMs).unref()
}

/** A client that begins now already has the current state. */
async function markAll(follower: InboxFollower) {
  for await (const news of missedNews(follower)) {
    if (follower.isClosed) return
    follower.markReceived(eventsWithoutItems(news))
  }
}

const isTooOld = ({ horizon }: InboxFollower) =>
  horizon < Date.now() - inboxConfig.resumeHours * 3_600_000

/** What the client knows is outdated: it must list the inbox again. */
async function* reset(follower: InboxFollower): AsyncGenerator<string, void> {
  follower.settle(Date.now() - inboxConfig.settleMs)
  await markAll(follower)
  yield formatEvent('reset', {})
}

function endOldest(followers: Set<InboxFollower>) {
  const [oldest] = followers
  oldest.offer(`retry: ${LATER_MS}\n\n`)
  oldest.end('too_many_streams')
}

export const inboxStreams = new InboxStreams()
