import { setImmediate as nextTurn } from 'node:timers/promises'
import { outsideRequests } from '#core/http/outside_requests'
import { followedChanges } from '#app/checks/invalidation/followed_changes'
import { readEvents } from '#app/change_feed/queries/read_events'
import { type Follower } from '#app/change_feed/stream/follower'
import type { Domain } from '#app/change_feed/values/feed_event'
import feedConfig from '#config/change_feed'

const RETRY_MS = 1_000

/** Sends changes to the clients that follow them (changes.md#change-feed). */
export class ChangeFeed {
  /** Followers that have received everything that was distributed. */
  readonly #live = new Set<Follower>()
  readonly #open = new Set<Follower>()
  /** Every event up to this one was distributed. */
  #revision = 0
  #distribution: Promise<void> | null = null
  #isStale = false
  #lastDistribution = -Infinity
  #upcoming?: NodeJS.Timeout
  #heartbeats?: NodeJS.Timeout
  #unfollow?: () => void

  get size() {
    return this.#open.size
  }

  get isFull() {
    return this.#open.size >= feedConfig.maxStreams
  }

  /** Sends what a follower missed since its revision, and changes from then on. */
  follow(follower: Follower) {
    this.#open.add(follower)
    follower.onClose(() => this.#forget(follower))
    void follower.send(this.#beginningFor(follower))
  }

  /** Ends all streams; clients resume them at another process. */
  close() {
    for (const follower of this.#open) follower.close()
  }

  async *#beginningFor(follower: Follower): AsyncGenerator<string, void> {
    yield `retry: ${RETRY_MS}\n\n`
    do {
      await this.#distribution?.catch(() => {})
      yield* this.#missedBy(follower)
    } while (!this.#join(follower))
    follower.beat()
  }

  async *#missedBy(follower: Follower): AsyncGenerator<string, void> {
    for (let hasMore = true; hasMore && !follower.isClosed;) {
      const page = await readEvents(follower.revision, follower.domains, feedConfig.pageSize)
      yield follower.receive(page)
      ;({ hasMore } = page)
    }
  }

  /** @returns false if the follower missed events in the meantime, or a distribution is running */
  #join(follower: Follower): boolean {
    if (follower.isClosed) return true
    if (this.#distribution !== null) return false
    if (this.#live.size === 0) this.#begin(follower.revision)
    if (follower.revision < this.#revision) return false
    this.#live.add(follower)
    return true
  }

  #forget(follower: Follower) {
    this.#open.delete(follower)
    this.#live.delete(follower)
    if (this.#live.size === 0) this.#end()
  }

  #begin(revision: number) {
    this.#revision = revision
    this.#unfollow = followedChanges.onAdvance(() => this.#distributeSoon())
    this.#heartbeats = setInterval(() => void this.#beat().catch(() => {}), feedConfig.heartbeatMs)
    this.#heartbeats.unref()
  }

  #end() {
    this.#unfollow?.()
    clearInterval(this.#heartbeats)
    clearTimeout(this.#upcoming)
    this.#upcoming = undefined
  }

  /** Reads the database first: only then is it certain that nothing is missing. */
  async #beat() {
    await followedChanges.catchUp()
    await this.#distribute()
    await this.#forEach((follower) => follower.beat())
  }

  /**
   * Immediately, unless the last distribution was just now: with many followers, each costs the
   * kernel a write per follower, so changes in quick succession share one.
   */
  #distributeSoon() {
    if (this.#upcoming !== undefined) return
    const pauseMs = Math.min(this.#live.size * feedConfig.pauseMsPerStream, feedConfig.maxPauseMs)
    const distribute = () => {
      this.#upcoming = undefined
      this.#distribute().catch(() => {})
    }
    const dueInMs = this.#lastDistribution + pauseMs - performance.now()
    if (dueInMs <= 0) distribute()
    else this.#upcoming = setTimeout(distribute, dueInMs).unref()
  }

  /** Distributes what was committed before the call. Simultaneous calls share the work. */
  #distribute(): Promise<void> {
    this.#isStale = true
    this.#distribution ??= outsideRequests(() => this.#readAndDeliver()).finally(() => {
      this.#distribution = null
    })
    return this.#distribution
  }

  async #readAndDeliver() {
    while (this.#isStale && this.#live.size > 0) {
      this.#isStale = false
      const page = await readEvents(this.#revision, this.#domains(), feedConfig.pageSize)
      this.#revision = page.revision
      if (page.hasMore) this.#isStale = true
      await this.#forEach((follower) => follower.deliver(page))
      this.#lastDistribution = performance.now()
      // On SQLite, followers would not get a chance to read between two pages.
      await nextTurn()
    }
  }

  #domains() {
    const wanted = new Set<Domain>()
    for (const { domains } of this.#live) for (const domain of domains) wanted.add(domain)
    return wanted
  }

  async #forEach(visit: (follower: Follower) => void) {
    let visited = 0
    for (const follower of [...this.#live]) {
      visit(follower)
      if (++visited % feedConfig.slice === 0) await nextTurn()
    }
  }
}

export const changeFeed = new ChangeFeed()
