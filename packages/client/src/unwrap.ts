import { ConciergeProblem } from './problem.ts'

interface Answer<T> {
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
export async function unwrap<T>(answer: Answer<T> | Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await answer
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
 * refused with 412 `STALE` if somebody else has changed the resource since.
 *
 * @throws ConciergeProblem, ConciergeUnreachable
 *
 * @example
 * const { data, etag } = await unwrapTagged(concierge.api.GET(ROLE, { params }))
 * await unwrap(concierge.api.PUT(ROLE, { params: { ...params, ...ifMatch(etag) }, body }))
 */
export async function unwrapTagged<T>(
  answer: Answer<{ data: T }> | Promise<Answer<{ data: T }>>
): Promise<Tagged<T>> {
  const settled = await answer
  const { data } = await unwrap(settled)
  return { data, etag: settled.response.headers.get('etag') }
}

/** Parameters of a write that is done only while the resource has this tag. */
export const ifMatch = (etag: string | null) =>
  etag === null ? {} : { header: { 'if-match': etag } }
