import createClient, { type Client } from 'openapi-fetch'
import type { paths } from './api.ts'
import { CheckBatch } from './checks/batch.ts'
import { CheckCache } from './checks/cache.ts'
import { type CheckQuestion, type OwnCheckQuestion, requireComplete } from './checks/question.ts'
import { credentials, type TokenSource } from './http/credentials.ts'
import { persistentFetch } from './http/persistent_fetch.ts'
import type { NotificationRequest, SendResult } from './types.ts'
import { unwrap } from './unwrap.ts'

export interface ConciergeOptions {
  /** Where the service is, without `/api`: `https://concierge.example.com`. */
  url: string
  /** The access token of the person this client acts for, or how to get a fresh one. */
  token?: TokenSource
  /** Key of `/api/internal/*`; never in a browser. */
  internalKey?: string
  /** Key of `/api/check*`, where the service asks for one (`CHECK_KEYS`); never in a browser. */
  checkKey?: string
  /** How long an answer of a check may be used again, in milliseconds; 0 (the default) asks each time. */
  checkCacheMs?: number
  /** How long one attempt of a request may take, in milliseconds. Default 5,000. */
  timeoutMs?: number
  /** How often a request that may be repeated is sent again after a failure that may pass. Default 2. */
  retries?: number
  /** Another `fetch`, for tests or proxies. */
  fetch?: typeof fetch
}

/** Concierge, as one caller sees it. */
export interface Concierge {
  /** Every endpoint, typed by the service's own description. Answers are told apart by `unwrap`. */
  readonly api: Client<paths>
  /** The same service on behalf of the person this token belongs to. */
  as(token: TokenSource): Concierge
  /**
   * Whether a person may do something. Questions of the same moment about one person, application and resource become one
   * request. With `email` the service is asked from the private network; without it, about the owner of the token.
   *
   * @throws ConciergeProblem, TypeError for half a question, or what `fetch` throws: a failure is never a "no"
   */
  may(question: CheckQuestion | OwnCheckQuestion): Promise<boolean>
  /** Forgets the answers of checks that are still kept (`checkCacheMs`). */
  forgetChecks(): void
  /**
   * Tells a person something. Safe to repeat: without a key of your own it gets one that is kept across retries.
   *
   * @throws ConciergeProblem
   */
  notify(request: NotificationRequest, options?: { idempotencyKey?: string }): Promise<SendResult>
}

/**
 * @example
 * const concierge = createConcierge({ url: 'http://127.0.0.1:3333' })
 * if (await concierge.as(token).may({ app: 'shop', permission: 'orders', level: 'edit' })) …
 */
export function createConcierge(options: ConciergeOptions): Concierge {
  return conciergeOf(options, new CheckCache(options.checkCacheMs ?? 0))
}

/** Clients made from one another share what they remember, each under its own identity. */
function conciergeOf(options: ConciergeOptions, cache: CheckCache): Concierge {
  const identity = typeof options.token === 'string' ? options.token : crypto.randomUUID()
  const api = createClient<paths>({
    baseUrl: options.url.replace(/\/+$/, ''),
    fetch: persistentFetch(options),
  })
  api.use(credentials(options))
  const batch = new CheckBatch(api)
  return {
    api,
    as: (token) => conciergeOf({ ...options, token }, cache),
    async may(question) {
      requireComplete(question)
      return cache.answer(identity, question, () => batch.ask(question))
    },
    forgetChecks: () => cache.clear(),
    async notify(body, { idempotencyKey } = {}) {
      const header = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }
      const { data } = await unwrap(
        api.POST('/api/internal/notifications', { body, params: { header } })
      )
      return data
    },
  }
}
