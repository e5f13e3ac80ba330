import type { OutboundRequest } from '#core/network/outbound'
import { UnusableResponse, outboundJson } from '#core/network/outbound_json'
import type { ServiceAccount } from '#app/identity_provider/zitadel/service_account'

/** The gRPC code for a change that changes nothing. */
const FAILED_PRECONDITION = 9

export interface ZitadelCall {
  method: NonNullable<OutboundRequest['method']>
  /** Built with `providerPath` if it contains ids. */
  path: string
  body?: object
  /** The organisation the call is about; default: the service account's own. */
  organisation?: string
}

/** Calls the identity provider's API as the service account (zitadel.md#common-rules). */
export class ZitadelApi {
  readonly #baseUrl: string

  constructor(
    baseUrl: string,
    private readonly account: ServiceAccount
  ) {
    this.#baseUrl = baseUrl.replace(/\/$/, '')
  }

  /**
   * @returns null if nothing had to change; `{}` for a success without a body
   * @throws OutboundError without a response, UnusableResponse for a refusal, ServiceAccountError
   */
  async call(call: ZitadelCall): Promise<unknown> {
    try {
      return (await this.#sendWithRetry(call)) ?? {}
    } catch (error) {
      if (isUnchanged(error)) return null
      throw error
    }
  }

  async #sendWithRetry(call: ZitadelCall) {
    const token = await this.account.accessToken()
    try {
      return await this.#send(call, token)
    } catch (error) {
      const isStale = error instanceof UnusableResponse && error.status === 401
      if (!isStale || !this.account.discardToken(token)) throw error
      return this.#send(call, await this.account.accessToken())
    }
  }

  async #send({ method, path, body, organisation }: ZitadelCall, token: string) {
    const { contentType, bytes } = await encodeBody(body)
    return outboundJson(`${this.#baseUrl}${path}`, {
      method,
      author: 'operator',
      headers: {
        authorization: `Bearer ${token}`,
        ...(contentType && { 'content-type': contentType }),
        ...(organisation && { 'x-zitadel-orgid': organisation }),
      },
      body: bytes,
    })
  }
}

/** @throws Error for an id that would lead to another path */
export function providerPath(texts: TemplateStringsArray, ...ids: string[]): string {
  return String.raw({ raw: texts }, ...ids.map(pathSegment))
}

function pathSegment(id: string) {
  // Encoding leaves dots alone, but URL parsers resolve them.
  if (/^\.{0,2}$/.test(id)) throw new Error('Not an id of the identity provider')
  return encodeURIComponent(id)
}

async function encodeBody(body: object | undefined) {
  if (body === undefined) return {}
  if (!(body instanceof FormData)) {
    return { contentType: 'application/json', bytes: JSON.stringify(body) }
  }
  const form = new Response(body)
  const bytes = Buffer.from(await form.arrayBuffer())
  return { contentType: form.headers.get('content-type'), bytes }
}

function isUnchanged(error: unknown) {
  if (!(error instanceof UnusableResponse) || error.status !== 400) return false
  const { body } = error
  return (
    typeof body === 'object' && body !== null && 'code' in body && body.code === FAILED_PRECONDITION
  )
}
