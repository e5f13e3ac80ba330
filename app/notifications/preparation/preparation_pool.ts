import { Overloaded, RateLimited } from '#core/exceptions/problems'
import {
  PreparationThread,
  type ThreadLimits,
} from '#app/notifications/preparation/preparation_thread'
import type { PreparedTexts, VersionTexts } from '#app/notifications/preparation/prepare_texts'

export interface PoolOptions {
  threads: number
  maxWaiting: number
  maxWaitingPerAuthor: number
  limits: ThreadLimits
}

interface Job {
  texts: VersionTexts
  author: string
  done: (prepared: PreparedTexts) => void
  fail: (error: unknown) => void
}

const IDLE_MS = 300_000

/**
 * Prepares texts in threads, because even a small template can take unlimited time and memory.
 * Authors take turns and use at most one thread each, so a hostile template barely delays others.
 */
export class PreparationPool {
  readonly #options: PoolOptions
  readonly #waiting = new Map<string, Job[]>()
  readonly #busyFor = new Set<string>()
  readonly #idle: PreparationThread[] = []
  readonly #threads = new Set<PreparationThread>()
  #waitingCount = 0
  #idleTimer?: NodeJS.Timeout

  constructor(options: PoolOptions) {
    this.#options = options
  }

  /** @throws TemplateSyntax, TemplateTooComplex, RateLimited, Overloaded */
  prepare(texts: VersionTexts, author: string): Promise<PreparedTexts> {
    const own = this.#waiting.get(author) ?? []
    const headers = { 'retry-after': '1' }
    if (own.length >= this.#options.maxWaitingPerAuthor) {
      return Promise.reject(new RateLimited({ headers }))
    }
    if (this.#waitingCount >= this.#options.maxWaiting && !this.#makeRoom(own.length)) {
      return Promise.reject(new Overloaded({ headers }))
    }
    return new Promise((done, fail) => {
      own.push({ texts, author, done, fail })
      this.#waiting.set(author, own)
      this.#waitingCount++
      this.#next()
    })
  }

  /**
   * Drops the last job of whoever has most, if that is more than the newcomer would have.
   *
   * @param ownJobs of the newcomer
   */
  #makeRoom(ownJobs: number): boolean {
    const [most, ...others] = [...this.#waiting.values()].sort((a, b) => b.length - a.length)
    if (others.length === 0 || most.length <= ownJobs + 1) return false
    most.pop()!.fail(new Overloaded({ headers: { 'retry-after': '1' } }))
    this.#waitingCount--
    return true
  }

  async stop() {
    clearTimeout(this.#idleTimer)
    const jobs = [...this.#waiting.values()].flat()
    this.#waiting.clear()
    this.#waitingCount = 0
    for (const { fail } of jobs) fail(new Overloaded({ headers: { 'retry-after': '1' } }))
    this.#idle.length = 0
    await Promise.all([...this.#threads].map((thread) => thread.end()))
    this.#threads.clear()
  }

  #next() {
    if (this.#busyFor.size >= this.#options.threads) return
    for (const [author, [job, ...rest]] of this.#waiting) {
      if (this.#busyFor.has(author)) continue
      this.#waiting.delete(author)
      if (rest.length > 0) this.#waiting.set(author, rest)
      this.#waitingCount--
      void this.#work(job)
      return
    }
  }

  async #work({ texts, author, done, fail }: Job) {
    clearTimeout(this.#idleTimer)
    this.#busyFor.add(author)
    const thread = this.#idle.pop() ?? this.#newThread()
    await thread.prepare(texts).then(done, fail)
    if (thread.isAlive) this.#idle.push(thread)
    else this.#threads.delete(thread)
    this.#busyFor.delete(author)
    this.#next()
    this.#stopWhenIdle()
  }

  #newThread() {
    const thread = new PreparationThread(this.#options.limits)
    this.#threads.add(thread)
    return thread
  }

  #stopWhenIdle() {
    if (this.#busyFor.size > 0) return
    clearTimeout(this.#idleTimer)
    this.#idleTimer = setTimeout(() => void this.stop(), IDLE_MS).unref()
  }
}
