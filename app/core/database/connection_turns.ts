import { Pauses } from '#core/database/pauses'
import { RecentUse } from '#core/values/recent_use'
import { TimeSlices } from '#core/database/time_slices'
import { SERVICE, isCheck } from '#core/http/current_caller'

/** The part of the connections that one caller leaves to others, and all checks together do. */
const LEFT_TO_OTHERS = 0.25

/** As the library names it, so that the problem is the same. */
export const TIMED_OUT = 'Timeout acquiring a connection, because the database is busy'

interface Waiter {
  proceed: () => void
  /** When it began to wait: a `performance.now()` timestamp, as below. */
  since: number
}

interface WaitingCaller {
  waiters: Waiter[]
  /** Since when the caller waits for the next one. */
  since: number
}

interface Options {
  /** How many connections there are. */
  capacity: number
  timeoutMs: number
  /** Whether statements block the process while they run. */
  isSynchronous: boolean
  /**
   * After which time background work comes first, or a caller who was not served meanwhile. Recent
   * use of the connections is subtracted from the time that a caller has waited.
   */
  patienceMs?: { service: number; others: number }
}

/**
 * Gives the connections of a pool to callers in turn: to the one who holds the fewest, among those
 * to the one who has used them the least, and then to the one who was served longest ago. The pool
 * itself would serve all requests of one caller before that of another one who came later, so slow
 * reads of one user could keep everyone waiting. Many others keep nobody waiting for long either.
 * Checks come first, because they are quick, but after one it is somebody else's turn.
 * A database that blocks the process does so only for a slice of time in each turn of the event
 * loop, and those who use it for long pause.
 */
export class ConnectionTurns {
  readonly #options: Required<Options>
  readonly #mostPerCaller: number
  readonly #held = new Map<unknown, number>()
  #heldByChecks = 0
  #lastWasCheck = false
  readonly #recentUse = new RecentUse()
  /** In the order in which it is their turn. */
  readonly #waiting = new Map<unknown, WaitingCaller>()
  #free: number
  /** Null if others can run while the database works. */
  readonly #slices: TimeSlices | null
  readonly #pauses: Pauses | null

  constructor(options: Options) {
    this.#options = { patienceMs: { service: 500, others: 1_000 }, ...options }
    this.#free = options.capacity
    this.#mostPerCaller = Math.ceil(options.capacity * (1 - LEFT_TO_OTHERS))
    const { isSynchronous } = options
    this.#slices = isSynchronous ? new TimeSlices(() => this.#serveWaiting()) : null
    this.#pauses = isSynchronous ? new Pauses(this.#recentUse, () => this.#serveWaiting()) : null
  }

  /**
   * Waits until it is the caller's turn.
   *
   * @returns whether the caller had to wait
   * @throws Error if that takes too long
   */
  async take(caller: unknown): Promise<boolean> {
    if (this.#hasRoom && this.#mayHoldMore(caller) && !this.#mustPause(caller)) {
      this.#grant(caller)
      return false
    }
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#remove(caller, waiter)
        reject(new Error(TIMED_OUT))
      }, this.#options.timeoutMs)
      const proceed = () => {
        clearTimeout(timer)
        resolve()
      }
      const waiter = { proceed, since: performance.now() }
      const known = this.#waiting.get(caller)
      if (known) known.waiters.push(waiter)
      else this.#waiting.set(caller, { waiters: [waiter], since: waiter.since })
    })
    return true
  }

  /**
   * Ends what a caller took.
   *
   * @param usedMs how long the caller had it
   */
  leave(caller: unknown, usedMs = 0) {
    this.#recentUse.add(caller, usedMs)
    const held = this.#held.get(caller)! - 1
    if (held === 0) this.#held.delete(caller)
    else this.#held.set(caller, held)
    if (isCheck(caller)) this.#heldByChecks--
    this.#free++
    if (caller !== SERVICE) this.#pauses?.beginAfter(caller, usedMs)
    this.#slices?.end()
    this.#serveWaiting()
  }

  /** How many requests wait. */
  get waiting(): number {
    return [...this.#waiting.values()].reduce((sum, { waiters }) => sum + waiters.length, 0)
  }

  get #hasRoom(): boolean {
    return this.#free > 0 && !this.#slices?.isUsedUp
  }

  #mayHoldMore(caller: unknown): boolean {
    if (caller === SERVICE) return true
    if (isCheck(caller) && this.#heldByChecks >= this.#mostPerCaller) return false
    return (this.#held.get(caller) ?? 0) < this.#mostPerCaller
  }

  #mustPause(caller: unknown): boolean {
    if (this.#pauses === null || caller === SERVICE) return false
    return this.#pauses.includes(caller)
  }

  #grant(caller: unknown) {
    if (caller !== SERVICE) this.#pauses?.noteUse(caller)
    this.#free--
    this.#lastWasCheck = isCheck(caller)
    if (this.#lastWasCheck) this.#heldByChecks++
    this.#held.set(caller, (this.#held.get(caller) ?? 0) + 1)
    this.#slices?.begin()
  }

  #serveWaiting() {
    while (this.#hasRoom) {
      const caller = this.#next()
      if (caller === undefined) return
      const { waiters } = this.#waiting.get(caller)!
      const { proceed } = waiters.shift()!
      this.#waiting.delete(caller)
      if (waiters.length > 0) this.#waiting.set(caller, { waiters, since: performance.now() })
      this.#grant(caller)
      proceed()
    }
  }

  #next(): unknown {
    const service = this.#waiting.get(SERVICE)
    const patienceMs = this.#options.patienceMs.service
    if (service && performance.now() - service.waiters[0].since > patienceMs) return SERVICE
    const check = this.#nextOf(isCheck)
    const other = this.#nextOf((caller) => !isCheck(caller))
    return this.#lastWasCheck ? (other ?? check) : (check ?? other)
  }

  #nextOf(isOne: (caller: unknown) => boolean): unknown {
    const now = performance.now()
    let next: unknown
    let neglected: unknown
    let [fewest, least, longest] = [Infinity, Infinity, this.#options.patienceMs.others]
    for (const [caller, { since }] of this.#waiting) {
      if (!isOne(caller) || !this.#mayHoldMore(caller) || this.#mustPause(caller)) continue
      const used = this.#recentUse.of(caller)
      const waited = now - since - used
      if (waited > longest) [neglected, longest] = [caller, waited]
      const held = this.#held.get(caller) ?? 0
      if (held > fewest) continue
      if (held < fewest || used < least) [next, fewest, least] = [caller, held, used]
    }
    return neglected ?? next
  }

  #remove(caller: unknown, waiter: Waiter) {
    const { waiters, since } = this.#waiting.get(caller)!
    const others = waiters.filter((other) => other !== waiter)
    if (others.length > 0) this.#waiting.set(caller, { waiters: others, since })
    else this.#waiting.delete(caller)
  }
}
