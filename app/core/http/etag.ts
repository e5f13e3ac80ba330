import { createHash } from 'node:crypto'
import type { HttpContext } from '@adonisjs/core/http'
import { Stale } from '#core/exceptions/problems'

/**
 * Called under the lock of a change, with a function that reads what it will replace. Null means
 * that there is nothing yet.
 *
 * @throws Stale if the request is based on another state
 */
export type RequireFresh<State> = (read: () => State | Promise<State>) => Promise<void>

export const unconditional: RequireFresh<unknown> = async () => {}

/** Sends the `ETag` of a resource with the response. @returns the resource */
export function tagged<Resource>({ response }: HttpContext, resource: Resource): Resource {
  response.header('etag', etagOf(resource))
  return resource
}

/** For a resource whose state has a name. */
export function tagWith({ response }: HttpContext, state: string) {
  response.header('etag', tagOf(state))
}

export const tagOf = (state: string) => `"${state}"`

/** See conventions.md#conditional-writes. */
export function ifMatch<State>(
  { request }: HttpContext,
  toResource: (state: State) => unknown
): RequireFresh<State> {
  // The framework treats an empty header as missing.
  const expected = request.header('if-match') ?? request.headers()['if-match']
  return async (read) => {
    if (expected === undefined) return
    const state = await read()
    const current = state === null ? null : toResource(state)
    const etag = current === null ? null : etagOf(current)
    if (etag !== null && names(expected, etag)) return
    throw new Stale({ details: { current }, headers: etag === null ? {} : { etag } })
  }
}

/** A digest of the content, so that it is the same in every process and after a restart. */
function etagOf(resource: unknown): string {
  return `"${createHash('sha256').update(JSON.stringify(resource)).digest('base64url')}"`
}

/** Weak tags never match, as RFC 9110 requires of `If-Match`. */
function names(expected: string, etag: string): boolean {
  const listed = expected.split(',').map((each) => each.trim())
  return expected.trim() === '*' || listed.includes(etag)
}
