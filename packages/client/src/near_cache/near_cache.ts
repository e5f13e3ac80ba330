import type { CheckQuestion } from '../checks/question.ts'
import { revisionOf } from '../revision.ts'
import { type AccessChange, RecentChanges } from './changes.ts'
import { type FeedListener, type FeedTiming, ChangeFeed } from './change_feed.ts'
import { plainAddress } from './plain_address.ts'
import { RememberedAnswers, answerKey } from './remembered_answers.ts'
import { steadyClock } from './steady_clock.ts'

export interface NearCacheOptions {
  /** The platform's `INTERNAL_API_KEY`, which may read the change feed. */
  internalKey: string
  /** How many answers to remember; the least recently used ones are forgotten. Default 10,000. */
  maxEntries?: number
  /** Time limits of the change feed, for tests. */
  timing?: Partial<FeedTiming>
}

/** What a near cache has done so far. */
export interface NearCacheStatistics {
  /** Checks that were answered without a request. */
  readonly hits: number
  /** Checks that the service was asked, although the near cache could have known. */
  readonly misses: number
  /** Remembered answers. */
  readonly size: number
  /** Whether the change feed is up to date. Otherwise the service is asked everything. */
  readonly isLive: boolean
  /** Why the feed was last interrupted: a ConciergeProblem, a ConciergeUnreachable or an Error. */
  readonly failure: unknown
}

const DEFAULT_MAX_ENTRIES = 10_000
const NEVER = -Infinity
const TIMING: FeedTiming = {
  silenceMs: 10_000,
  minPauseMs: 500,
  maxPauseMs: 5_000,
  now: steadyClock(),
}

const ALLOWED = Promise.resolve(true)
const DENIED = Promise.resolve(false)

/** A request whose answers are to be remembered. */
export interface Asked {
  question: Omit<CheckQuestion, 'permission'>
  /** Before it was sent. */
  at: number
  generation: number
}

/**
 * Remembers answers in this process and forgets them as soon as the change feed says that they may
 * have changed. While the feed is silent, nothing remembered is used.
 */
export class NearCache implements NearCacheStatistics, FeedListener {
  readonly #answers: RememberedAnswers
  readonly #recent = new RecentChanges()
  readonly #timing: FeedTiming
  readonly #feed: ChangeFeed
  /** Every change up to this one is applied. */
  #revision = NEVER
  #lastHeartbeat = NEVER
  /** Incremented when everything is forgotten. Answers of an earlier generation are not stored. */
  #generation = 0
  hits = 0
  misses = 0
  failure: unknown = null

  /** @throws TypeError, RangeError for options that are not valid */
  constructor(url: string, { internalKey, maxEntries, timing }: NearCacheOptions) {
    if (typeof internalKey !== 'string' || internalKey === '') {
      throw new TypeError('nearCache.internalKey must be a key that may read the change feed')
    }
    const max = maxEntries ?? DEFAULT_MAX_ENTRIES
    if (!Number.isSafeInteger(max) || max < 1) {
      throw new RangeError('nearCache.maxEntries must be a whole number from 1')
    }
    this.#answers = new RememberedAnswers(max)
    this.#timing = { ...TIMING, ...timing }
    this.#feed = new ChangeFeed(url, internalKey, { listener: this, timing: this.#timing })
    this.#feed.start()
  }

  get size() {
    return this.#answers.size
  }

  get isLive() {
    return this.#isLiveAt(this.#timing.now())
  }

  /** @param atLeast a revision that the answer must reflect; 0 for none */
  find(question: CheckQuestion, atLeast: number): Promise<boolean> | undefined {
    const now = this.#timing.now()
    const isUsable = this.#isLiveAt(now) && this.#revision >= atLeast
    const answer = isUsable ? this.#answers.get(answerKey(question), now) : undefined
    if (answer === undefined) this.misses++
    else this.hits++
    return answer
  }

  /** Call it before the request. */
  ask(question: Asked['question']): Asked {
    return { question, at: this.#timing.now(), generation: this.#generation }
  }

  /**
   * Remembers answers, except those that may already be outdated, and those that only the service
   * can give because they depend on conditions.
   *
   * @param permissions in the order of the request
   */
  remember(
    { question, at, generation }: Asked,
    permissions: string[],
    results: Map<string, unknown>,
    response: Response
  ) {
    const revision = revisionOf(response)
    const email = plainAddress(question.email)
    if (revision === null || email === null || generation !== this.#generation) return
    const about = { email, app: question.app }
    if (this.#recent.mayAlter(about, revision)) return
    // From before the request, so that it ends before the time window does.
    const validUntil = at + validFor(response)
    const conditional = conditionalPositions(response)
    for (const [index, permission] of permissions.entries()) {
      const allowed = results.get(permission)
      if (typeof allowed !== 'boolean' || conditional.has(String(index))) continue
      const answer = allowed ? ALLOWED : DENIED
      this.#answers.set(answerKey({ ...question, permission }), { ...about, answer, validUntil })
    }
  }

  close() {
    this.#feed.close()
    this.onInterrupted(null)
    this.#forgetAll()
  }

  /** The revision after which the feed is to continue; undefined if from now on. */
  get lastRevision(): number | undefined {
    return this.#revision === NEVER ? undefined : this.#revision
  }

  onHeartbeat(revision: number) {
    // Such as after a restored backup.
    if (revision < this.#revision) this.onReset(revision)
    this.#begin(revision)
    this.#revision = revision
    this.#lastHeartbeat = this.#timing.now()
    this.failure = null
  }

  onChange(change: AccessChange) {
    this.#begin(change.revision)
    this.#answers.forget(change.scopes)
    this.#recent.add(change)
    this.#revision = Math.max(this.#revision, change.revision)
  }

  onReset(revision: number) {
    this.#forgetAll()
    this.#begin(revision)
    this.#revision = revision
  }

  onInterrupted(failure: unknown) {
    this.#lastHeartbeat = NEVER
    this.failure = failure
  }

  onGarbage() {
    this.#forgetAll()
  }

  #isLiveAt(now: number) {
    return now - this.#lastHeartbeat < this.#timing.silenceMs
  }

  /** Of changes before the first event, nothing is known. */
  #begin(revision: number) {
    if (this.#revision === NEVER) this.#recent.reset(revision)
  }

  #forgetAll() {
    this.#generation++
    this.#answers.clear()
    this.#revision = NEVER
    this.#recent.reset(Infinity)
  }
}

/** In milliseconds. */
function validFor({ headers }: Response): number {
  const header = headers.get('concierge-valid-for')
  if (header === null) return Infinity
  return /^\d+$/.test(header) ? Number(header) : 0
}

/** Positions in the permissions of the request. */
function conditionalPositions({ headers }: Response): Set<string> {
  return new Set(
    headers
      .get('concierge-conditional')
      ?.split(',')
      .map((text) => text.trim())
  )
}
