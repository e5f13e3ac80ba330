import type { GetToken } from '../types.ts'

/** One token for all requests: those that find it expired at the same time renew it once. */
export class AccessToken {
  #current?: Promise<string>
  #renewal?: Promise<string>
  readonly #getToken: GetToken

  constructor(getToken: GetToken) {
    this.#getToken = getToken
  }

  get(): Promise<string> {
    return (this.#current ??= this.#ask(false))
  }

  /** @param refused the token that the service did not accept */
  async renew(refused: string): Promise<string> {
    const current = await this.get().catch(() => refused)
    // Another request has renewed it in the meantime.
    if (current !== refused) return current
    return (this.#renewal ??= this.#replace())
  }

  #replace() {
    const renewal = this.#ask(true).finally(() => (this.#renewal = undefined))
    this.#current = renewal
    return renewal
  }

  async #ask(renew: boolean): Promise<string> {
    try {
      return await this.#getToken({ renew })
    } catch (error) {
      this.#current = undefined
      throw error
    }
  }
}
