/** How a call goes wrong, and whether it has taken effect by then. */
export interface Fault {
  /** The number of the call, counted from 1 since the fault was set, or the name of an operation. */
  at: number | string
  when: 'before' | 'after'
  /** The connection is cut, no answer ever comes, or this status is answered. */
  how: 'die' | 'hang' | number
  /** Goes wrong every time; otherwise once. */
  always?: boolean
}

/** Decides which calls go wrong. */
export class Faults {
  #fault?: Fault
  #calls = 0
  /** Operations since the fault was set. */
  readonly seen: string[] = []

  set(fault: Fault | undefined) {
    this.#fault = fault
    this.#calls = 0
    this.seen.length = 0
  }

  /** Whether the fault that was set has happened. */
  get happened() {
    return this.#fault === undefined
  }

  /** The fault of this call, if it is its turn. */
  next(operation: string): Fault | undefined {
    this.#calls += 1
    this.seen.push(operation)
    const fault = this.#fault
    if (!fault || (fault.at !== operation && fault.at !== this.#calls)) return undefined
    if (!fault.always) this.#fault = undefined
    return fault
  }
}
