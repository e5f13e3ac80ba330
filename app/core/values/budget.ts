import type { Deadline } from '#core/values/deadline'

interface Wish {
  holder: string
  amount: number
  granted: () => void
}

export class Reservation {
  #amount: number

  constructor(
    amount: number,
    private readonly giveBack: (amount: number) => void
  ) {
    this.#amount = amount
  }

  shrinkTo(amount: number) {
    if (amount >= this.#amount) return
    const surplus = this.#amount - amount
    this.#amount = amount
    this.giveBack(surplus)
  }

  release() {
    this.shrinkTo(0)
  }
}

/** A fixed capacity shared by holders, with a limit per holder. Requests for more wait. */
export class Budget {
  readonly #held = new Map<string, number>()
  #wishes: Wish[] = []
  #left: number

  constructor(
    capacity: number,
    private readonly mostPerHolder: number
  ) {
    this.#left = capacity
  }

  /** Returns null if the amount was not available by the deadline. */
  async reserve(holder: string, amount: number, deadline: Deadline): Promise<Reservation | null> {
    if (this.#fits(holder, amount)) this.#take(holder, amount)
    else if (!(await this.#wait(holder, amount, deadline))) return null
    return new Reservation(amount, (given) => this.#giveBack(holder, given))
  }

  #fits(holder: string, amount: number): boolean {
    const held = this.#held.get(holder) ?? 0
    return amount <= this.#left && held + amount <= this.mostPerHolder
  }

  #take(holder: string, amount: number) {
    this.#left -= amount
    this.#held.set(holder, (this.#held.get(holder) ?? 0) + amount)
  }

  #giveBack(holder: string, amount: number) {
    this.#left += amount
    const held = this.#held.get(holder)! - amount
    if (held === 0) this.#held.delete(holder)
    else this.#held.set(holder, held)
    this.#grant()
  }

  #wait(holder: string, amount: number, deadline: Deadline): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#wishes = this.#wishes.filter((one) => one !== wish)
        resolve(false)
      }, deadline.left)
      const granted = () => {
        clearTimeout(timer)
        resolve(true)
      }
      const wish: Wish = { holder, amount, granted }
      this.#wishes.push(wish)
    })
  }

  /** In order of arrival. Holders at their limit let others pass. */
  #grant() {
    this.#wishes = this.#wishes.filter(({ holder, amount, granted }) => {
      if (!this.#fits(holder, amount)) return true
      this.#take(holder, amount)
      granted()
      return false
    })
  }
}
