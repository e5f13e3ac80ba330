import type { HttpContext } from '@adonisjs/core/http'
import { repeatGuards } from '#core/http/repeat_guards'

/** Whether the guards of a long response would still let its caller in. */
export class LastingAccess {
  #confirmedAt = performance.now()
  #running: Promise<void> | undefined

  constructor(private readonly ctx: HttpContext) {}

  /** @throws Problem if the caller would be refused now */
  confirm(): Promise<void> {
    return (this.#running ??= this.#confirm().finally(() => (this.#running = undefined)))
  }

  /** Confirms it unless that was done within this time. @throws Problem */
  async confirmedWithin(ms: number) {
    if (performance.now() - this.#confirmedAt > ms) await this.confirm()
  }

  async #confirm() {
    const startedAt = performance.now()
    await repeatGuards(this.ctx)
    this.#confirmedAt = startedAt
  }
}
