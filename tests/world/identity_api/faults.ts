export interface Fault {
  /** The number of the call since the fault was set, or an operation. */
  at: number | string
  when: 'before' | 'after'
  /** Drop the connection, never respond, respond with 200 and no body, or with this status. */
  how: 'die' | 'hang' | 'empty' | number
  /** Fails every time instead of once. */
  always?: boolean
}

export class Faults {
  #fault?: Fault
  #calls = 0
  readonly seen: string[] = []

  set(fault: Fault | undefined) {
    this.#fault = fault
    this.#calls = 0
    this.seen.length = 0
  }

  get happened() {
    return this.#fault === undefined
  }

  next(operation: string): Fault | undefined {
    this.#calls += 1
    this.seen.push(operation)
    const fault = this.#fault
    if (!fault || (fault.at !== operation && fault.at !== this.#calls)) return undefined
    if (!fault.always) this.#fault = undefined
    return fault
  }
}
