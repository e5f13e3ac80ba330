import type { Deadline } from '#core/values/deadline'
import { FairQueue } from '#core/values/fair_queue'

/**
 * Who in this process may try to get a lease. Callers take turns, however many requests one of them
 * has; if all tried, whoever has most would nearly always come first.
 */
export class LeaseTurns {
  /** By name, as long as someone tries or holds it. */
  readonly #queues = new Map<string, FairQueue<() => void>>()

  /** @returns false if the deadline passed before it was the caller's turn */
  async enter(name: string, caller: unknown, deadline: Deadline): Promise<boolean> {
    const queue = this.#queues.get(name)
    if (queue === undefined) {
      this.#queues.set(name, new FairQueue())
      return true
    }
    if (deadline.hasPassed) return false
    return new Promise((resolve) => {
      const owner = { group: caller }
      const proceed = () => {
        clearTimeout(timer)
        resolve(true)
      }
      const timer = setTimeout(() => {
        queue.remove(proceed, owner)
        resolve(false)
      }, deadline.remainingMs)
      queue.add(proceed, owner)
    })
  }

  /** @param usedMs since the caller entered */
  leave(name: string, caller: unknown, usedMs: number) {
    const queue = this.#queues.get(name)!
    queue.recordUse({ group: caller }, usedMs)
    const proceed = queue.take()
    if (proceed === undefined) this.#queues.delete(name)
    else proceed()
  }
}
