import { ConciergeProblem } from './problem.ts'

/** What a call of `api` returns. */
interface Result<T> {
  data?: T
  error?: unknown
  response: Response
}

/**
 * The body of a successful response.
 *
 * @throws ConciergeProblem, ConciergeUnreachable
 *
 * @example
 * const { data } = await unwrap(concierge.api.GET('/api/profile/me'))
 */
export async function unwrap<T>(result: Result<T> | Promise<Result<T>>): Promise<T> {
  const { data, error, response } = await result
  if (!response.ok) throw new ConciergeProblem(response.status, error)
  return data as T
}

/** A resource with its tag, for `if-match`. */
export interface Tagged<T> {
  data: T
  /** Null if the endpoint has no tag. */
  etag: string | null
}

/**
 * The resource in a successful response, with its `ETag`. A write with this tag in `if-match` is
 * refused with 412 `STALE` if someone else has changed the resource since.
 *
 * @throws ConciergeProblem, ConciergeUnreachable
 *
 * @example
 * const { data, etag } = await unwrapTagged(concierge.api.GET(ROLE, { params }))
 * await unwrap(concierge.api.PUT(ROLE, { params: { ...params, ...ifMatch(etag) }, body }))
 */
export async function unwrapTagged<T>(
  result: Result<{ data: T }> | Promise<Result<{ data: T }>>
): Promise<Tagged<T>> {
  const settled = await result
  const { data } = await unwrap(settled)
  return { data, etag: settled.response.headers.get('etag') }
}

/** Parameters of a write that is done only while the resource has this tag. */
export const ifMatch = (etag: string | null) =>
  etag === null ? {} : { header: { 'if-match': etag } }
