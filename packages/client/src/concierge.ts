import createClient, { type Client } from 'openapi-fetch'
import type { paths } from './api.ts'
import { type Catalog, deleteResources, saveResources } from './catalog.ts'
import { CheckBatch } from './checks/batch.ts'
import { CheckCache } from './checks/cache.ts'
import { type CheckQuestion, type OwnCheckQuestion, requireComplete } from './checks/question.ts'
import { auditReason } from './http/audit_reason.ts'
import { credentials, type TokenSource } from './http/credentials.ts'
import { retryingFetch } from './http/retrying_fetch.ts'
import { type Preview, previewWith } from './preview.ts'
import { type Search, searchWith } from './search.ts'
import type {
  CataloguedResource,
  NotificationRequest,
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
  /** Time limit for one attempt of a request, in milliseconds. Default 5,000. */
  timeoutMs?: number
  /** How often to retry repeatable requests after transient failures. Default 2. */
  retries?: number
  /** A `fetch` to use instead, for tests or proxies. */
  fetch?: typeof fetch
}

/** A client for Concierge. */
export interface Concierge {
  /** Every endpoint, typed by the API description. Pass responses to `unwrap`. */
  readonly api: Client<paths>
  /** A client that acts for the owner of this token. */
  as(token: TokenSource): Concierge
  /**
   * Whether a user has a permission: the user with `email`, for servers on the private network,
   * or else the owner of the token. Concurrent questions about one user, application and resource
   * share a request.
   *
   * @throws ConciergeProblem, ConciergeUnreachable, or TypeError for an incomplete question
   */
  may(question: CheckQuestion | OwnCheckQuestion): Promise<boolean>
  /** Who may do something, on which resources, and what somebody may do: complete, in pages. */
  readonly search: Search
  /**
   * The decisions that changes of access would flip, page after page. Nothing is changed. For
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
  /**
   * Sends a notification to one recipient. Retries use the same idempotency key.
   *
   * @throws ConciergeProblem, ConciergeUnreachable
   */
  notify(request: NotificationRequest, options?: { idempotencyKey?: string }): Promise<SendResult>
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
  return buildClient(options, new CheckCache(options.checkCacheMs ?? 0))
}

/** Derived clients share the cache, each under its own identity. */
function buildClient(options: ConciergeOptions, cache: CheckCache): Concierge {
  const identity = typeof options.token === 'string' ? options.token : crypto.randomUUID()
  const api = createClient<paths>({
    baseUrl: options.url.replace(/\/+$/, ''),
    fetch: retryingFetch(options),
  })
  api.use(credentials(options))
  if (options.reason !== undefined) api.use(auditReason(options.reason))
  const batch = new CheckBatch(api)
  return {
    api,
    as: (token) => buildClient({ ...options, token }, cache),
    async may(question) {
      requireComplete(question)
      return cache.answer(identity, question, () => batch.ask(question))
    },
    search: searchWith(api),
    preview: previewWith(api),
    forgetChecks: () => cache.clear(),
    async notify(body, { idempotencyKey } = {}) {
      const header = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }
      const { data } = await unwrap(
        api.POST('/api/internal/notifications', { body, params: { header } })
      )
      return data
    },
    saveResources: (catalog, resources) => saveResources(api, catalog, resources),
    deleteResources: (catalog, resourceIds) => deleteResources(api, catalog, resourceIds),
  }
}
