import type { OutboundRequest } from '#core/network/outbound'
import { UnusableAnswer, outboundJson } from '#core/network/outbound_json'
import type { ServiceAccount } from '#app/identity_provider/admin_api/service_account'

/** gRPC code the provider answers when a value already is what it should become. */
const FAILED_PRECONDITION = 9

/**
 * Calls of the identity provider's API (provider contract, part 6) under the service account.
 */
export class ZitadelApi {
  readonly #baseUrl: string

  constructor(
    baseUrl: string,
    private readonly account: ServiceAccount
  ) {
    this.#baseUrl = baseUrl.replace(/\/$/, '')
  }

  /**
   * @throws OutboundError without an answer, UnusableAnswer for a refusal
   */
  async call(method: OutboundRequest['method'], path: string, body: unknown): Promise<unknown> {
    try {
      return await this.#sendTwiceAtMost(method, path, body)
    } catch (error) {
      if (isUnchanged(error)) return null
      throw error
    }
  }

  /** Once more with a fresh token when the one at hand is no longer accepted. */
  async #sendTwiceAtMost(method: OutboundRequest['method'], path: string, body: unknown) {
    try {
      return await this.#send(method, path, body)
    } catch (error) {
      const isStale = error instanceof UnusableAnswer && error.status === 401
      if (isStale && this.account.renew()) return this.#send(method, path, body)
      throw error
    }
  }

  async #send(method: OutboundRequest['method'], path: string, body: unknown) {
    return outboundJson(`${this.#baseUrl}${path}`, {
      method,
      author: 'operator',
      headers: {
        'authorization': `Bearer ${await this.account.accessToken()}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    })
  }
}

function isUnchanged(error: unknown) {
  if (!(error instanceof UnusableAnswer) || error.status !== 400) return false
  const { body } = error
  return (
    typeof body === 'object' && body !== null && 'code' in body && body.code === FAILED_PRECONDITION
  )
}
