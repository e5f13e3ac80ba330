import { performance } from 'node:perf_hooks'
import type { Deadline } from '#core/values/deadline'
import { FairQueue, type Owner } from '#core/values/fair_queue'

interface Options {
  /** How many requests begin at most, per second: while the process is busy, and otherwise. */
  ratePerSecond: { busy: number; most: number }
  /** From which utilization of the event loop on the process is busy, 0 to 1. */
  busyFrom: number
  /** How busy the event loop was since the last call, 0 to 1. */
  readUtilization: () => number
}

const ADJUST_MS = 100
const TICK_MS = 10
/** How much of the rate can be used at once. */
const BURST_MS = 50
/** How many requests count as much as a millisecond of work. */
const REQUESTS_PER_MS = 1.5

/**
 * Decides when requests begin whose receivers are chosen by users and applications. Encryption and
 * TLS handshakes take milliseconds of the event loop each, and a receiver that closes its
 * connections makes every request need a new one. The busier the process, the fewer begin per
 * second; owners take turns, so none of them waits for the queue of another one.
 */
export class OutboundTurns {
  readonly #options: Options
  readonly #waiting = new FairQueue<() => void>()
  #rate: number
  #allowance: number
  #refilledAt = performance.now()
  #adjustedAt = performance.now()
  #ticks: NodeJS.Timeout | null = null

  constructor(options: Partial<Options> = {}) {
    this.#options = {
      ratePerSecond: { busy: 300, most: 4_000 },
      busyFrom: 0.7,
      readUtilization: loopUtilization(),
      ...options,
    }
    this.#rate = this.#options.ratePerSecond.most
    this.#allowance = this.#burst
  }

  /**
   * Waits until it is the owner's turn.
   * @returns false if the deadline passed before
   */
  async take(owner: Owner, deadline: Deadline): Promise<boolean> {
    if (deadline.hasPassed) return false
    this.#refill()
    if (this.#waiting.isEmpty && this.#allowance >= 1) {
      this.#use(owner)
      return true
    }
    return new Promise((resolve) => {
      const proceed = () => {
        clearTimeout(timer)
        this.#use(owner)
        resolve(true)
      }
      const timer = setTimeout(() => {
        this.#waiting.remove(proceed, owner)
        this.#stopIfIdle()
        resolve(false)
      }, deadline.remainingMs)
      this.#waiting.add(proceed, owner)
      this.#ticks ??= setInterval(() => this.#serve(), TICK_MS)
    })
  }

  /** For work that a receiver causes, such as the verification of its certificates. */
  charge(ms: number) {
    this.#allowance = Math.max(-this.#burst, this.#allowance - ms * REQUESTS_PER_MS)
  }

  get #burst(): number {
    return Math.max(1, (this.#rate * BURST_MS) / 1_000)
  }

  #serve() {
    this.#refill()
    while (this.#allowance >= 1 && !this.#waiting.isEmpty) this.#waiting.take()!()
    this.#stopIfIdle()
  }

  #refill() {
    const now = performance.now()
    this.#adjust(now)
    const earned = ((now - this.#refilledAt) * this.#rate) / 1_000
    this.#allowance = Math.min(this.#burst, this.#allowance + earned)
    this.#refilledAt = now
  }

  /** Falls quickly while the process is busy, and rises slowly afterwards. */
  #adjust(now: number) {
    if (now - this.#adjustedAt < ADJUST_MS) return
    this.#adjustedAt = now
    const { busy, most } = this.#options.ratePerSecond
    const isBusy = this.#options.readUtilization() >= this.#options.busyFrom
    this.#rate = isBusy ? Math.max(busy, this.#rate * 0.7) : Math.min(most, this.#rate * 1.1 + 10)
  }

  #use(owner: Owner) {
    this.#allowance -= 1
    this.#waiting.recordUse(owner, 1)
  }

  #stopIfIdle() {
    if (!this.#waiting.isEmpty || this.#ticks === null) return
    clearInterval(this.#ticks)
    this.#ticks = null
  }
}

function loopUtilization() {
  let last = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    return utilization
  }
}

/** Of this process, for all such requests. */
export const outboundTurns = new OutboundTurns()
