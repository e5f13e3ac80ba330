import createClient, { type Client } from 'openapi-fetch'
import type { paths } from './api.ts'
import { type Catalog, deleteResources, saveResources } from './catalog.ts'
import { CheckCache } from './checks/cache.ts'
import { type Checks, checksWith } from './checks/checks.ts'
import { auditReason } from './http/audit_reason.ts'
import { credentials, type TokenSource } from './http/credentials.ts'
import { retryingFetch } from './http/retrying_fetch.ts'
import {
  NearCache,
  type NearCacheOptions,
  type NearCacheStatistics,
} from './near_cache/near_cache.ts'
import { type Preview, previewWith } from './preview.ts'
import { type Search, searchWith } from './search.ts'
import type {
  CataloguedResource,
  DeliveryExplanation,
  NotificationRequest,
  RecordedExplanation,
  SavedResources,
  SendResult,
} from './types.ts'
import { unwrap } from './unwrap.ts'

export interface ConciergeOptions {
  /** The service's address without `/api`, such as `https://concierge.example.com`. */
  url: string
  /** Access token of the user this client acts for, or a function that returns a fresh one. */
  token?: TokenSource
  /** Key for `/api/internal/*`. Never use it in a browser. */
  internalKey?: string
  /** Key for `/api/check*`, if the service sets `CHECK_KEYS`. Never use it in a browser. */
  checkKey?: string
  /** Why changes are made, for the audit trail; up to 500 characters. */
  reason?: string
  /** How long to cache the results of checks, in milliseconds. Default 0: no caching. */
  checkCacheMs?: number
  /**
   * Remembers the results of checks with `email` in this process, until the service says that they
   * may have changed. For servers on the private network that run Node.js. Call `close()` at the
   * end. `checkCacheMs` then applies only to questions about the owner of a token.
   */
  nearCache?: NearCacheOptions
  /** Time limit for one attempt of a request, in milliseconds. Default 5,000. */
  timeoutMs?: number
  /** How often to retry repeatable requests after transient failures. Default 2. */
  retries?: number
  /** A `fetch` to use instead, for tests or proxies. */
  fetch?: typeof fetch
}

/** A client for Concierge. */
export interface Concierge extends Checks {
  /** Every endpoint, typed by the API description. Pass responses to `unwrap`. */
  readonly api: Client<paths>
  /** A client that acts for the owner of this token. */
  as(token: TokenSource): Concierge
  /** Who may do something, on which resources, and what someone may do: complete, in pages. */
  readonly search: Search
  /**
   * The decisions that access changes would flip, page after page. Nothing is changed. For
   * administrators of the application.
   *
   * @throws ConciergeProblem, ConciergeUnreachable
   *
   * @example
   * const changes = [{ op: 'deleteRole', role: 'clerk' }]
   * for await (const { flips } of concierge.preview({ app: 'shop', changes })) …
   */
  readonly preview: Preview
  /** Clears the cached results of checks (`checkCacheMs`). */
  forgetChecks(): void
  /** What the near cache does; null without one. Derived clients share it. */
  readonly nearCache: NearCacheStatistics | null
  /** Ends the near cache. The client can still be used. */
  close(): void
  /**
   * Sends a notification to one recipient. Retries use the same idempotency key.
   *
   * @throws ConciergeProblem, ConciergeUnreachable
   */
  notify(request: NotificationRequest, options?: { idempotencyKey?: string }): Promise<SendResult>
  /**
   * Cancels a notification that is `scheduled`: it has a `sendAt`, or waits for a digest or quiet
   * hours to end.
   *
   * @throws ConciergeProblem, with the code `ALREADY_SENT` if it is too late; ConciergeUnreachable
   */
  cancelNotification(id: number): Promise<SendResult>
  /**
   * What a send would do, and why. Nothing is sent or recorded. With the key of an application,
   * recipients who do not belong to it are explained as new users.
   *
   * @throws ConciergeProblem, ConciergeUnreachable
   */
  explainSend(request: NotificationRequest): Promise<DeliveryExplanation>
  /**
   * What was decided when a notification was sent, and why. With the key of an application, the
   * steps about recipients who do not belong to it are left out.
   *
   * @throws ConciergeProblem, ConciergeUnreachable
   */
  explainNotification(id: number): Promise<RecordedExplanation>
  /**
   * Adds resources to the catalog of an application, or updates them. Any number of them, in as
   * many requests as it takes: each is saved as a whole.
   *
   * @throws ConciergeProblem, ConciergeUnreachable
   */
  saveResources(catalog: Catalog, resources: Iterable<CataloguedResource>): Promise<SavedResources>
  /**
   * Deletes resources from the catalog of an application.
   *
   * @returns how many were in it
   * @throws ConciergeProblem, ConciergeUnreachable
   */
  deleteResources(catalog: Catalog, resourceIds: Iterable<string>): Promise<number>
}

/**
 * @example
 * const concierge = createConcierge({ url: 'http://127.0.0.1:3333' })
 * if (await concierge.as(token).may({ app: 'shop', permission: 'orders', level: 'edit' })) …
 */
export function createConcierge(options: ConciergeOptions): Concierge {
  const { nearCache, checkCacheMs = 0 } = options
  return buildClient(options, {
    cache: new CheckCache(checkCacheMs),
    nearCache: nearCache ? new NearCache(baseUrl(options), nearCache) : null,
  })
}

const baseUrl = ({ url }: ConciergeOptions) => url.replace(/\/+$/, '')

/** Derived clients share the caches, each under its own identity. */
function buildClient(
  options: ConciergeOptions,
  caches: { cache: CheckCache; nearCache: NearCache | null }
): Concierge {
  const identity = typeof options.token === 'string' ? options.token : crypto.randomUUID()
  const { cache, nearCache } = caches
  const api = createClient<paths>({
    baseUrl: baseUrl(options),
    fetch: retryingFetch(options),
  })
  api.use(credentials(options))
  if (options.reason !== undefined) api.use(auditReason(options.reason))
  return {
    api,
    as: (token) => buildClient({ ...options, token }, caches),
    ...checksWith(api, { identity, ...caches }),
    search: searchWith(api),
    preview: previewWith(api),
    forgetChecks: () => cache.clear(),
    nearCache,
    close: () => nearCache?.close(),
    async notify(body, { idempotencyKey } = {}) {
      const header = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }
      const { data } = await unwrap(
        api.POST('/api/internal/notifications', { body, params: { header } })
      )
      return data
    },
    async cancelNotification(id) {
      const params = { path: { id } }
      const { data } = await unwrap(api.DELETE('/api/internal/notifications/{id}', { params }))
      return data
    },
    async explainSend(body) {
      const { data } = await unwrap(api.POST('/api/internal/notifications/explain', { body }))
      return data
    },
    async explainNotification(id) {
      const params = { path: { id } }
      const { data } = await unwrap(api.GET('/api/internal/notifications/{id}/explain', { params }))
      return data
    },
    saveResources: (catalog, resources) => saveResources(api, catalog, resources),
    deleteResources: (catalog, resourceIds) => deleteResources(api, catalog, resourceIds),
  }
}
