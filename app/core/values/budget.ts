import type { Deadline } from '#core/values/deadline'

interface Waiter {
  holder: string
  amount: number
  onGranted: () => void
}

export class Reservation {
  #amount: number

  constructor(
    amount: number,
    private readonly onRelease: (amount: number) => void
  ) {
    this.#amount = amount
  }

  shrinkTo(amount: number) {
    if (amount >= this.#amount) return
    const surplus = this.#amount - amount
    this.#amount = amount
    this.onRelease(surplus)
  }

  release() {
    this.shrinkTo(0)
  }
}

/** A fixed capacity shared by holders, with a limit per holder. Requests for more wait. */
export class Budget {
  readonly #held = new Map<string, number>()
  #waiters: Waiter[] = []
  #available: number

  constructor(
    capacity: number,
    private readonly maxPerHolder: number
  ) {
    this.#available = capacity
  }

  /** Returns null if the amount was not available by the deadline. */
  async reserve(holder: string, amount: number, deadline: Deadline): Promise<Reservation | null> {
    if (this.#fits(holder, amount)) this.#take(holder, amount)
    else if (!(await this.#wait(holder, amount, deadline))) return null
    return new Reservation(amount, (released) => this.#release(holder, released))
  }

  #fits(holder: string, amount: number): boolean {
    const held = this.#held.get(holder) ?? 0
    return amount <= this.#available && held + amount <= this.maxPerHolder
  }

  #take(holder: string, amount: number) {
    this.#available -= amount
    this.#held.set(holder, (this.#held.get(holder) ?? 0) + amount)
  }

  #release(holder: string, amount: number) {
    this.#available += amount
    const held = this.#held.get(holder)! - amount
    if (held === 0) this.#held.delete(holder)
    else this.#held.set(holder, held)
    this.#grantWaiting()
  }

  #wait(holder: string, amount: number, deadline: Deadline): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#waiters = this.#waiters.filter((other) => other !== waiter)
        resolve(false)
      }, deadline.remainingMs)
      const onGranted = () => {
        clearTimeout(timer)
        resolve(true)
      }
      const waiter: Waiter = { holder, amount, onGranted }
      this.#waiters.push(waiter)
    })
  }

  /** In order of arrival. Holders at their limit let others pass. */
  #grantWaiting() {
    this.#waiters = this.#waiters.filter(({ holder, amount, onGranted }) => {
      if (!this.#fits(holder, amount)) return true
      this.#take(holder, amount)
      onGranted()
      return false
    })
  }
}
