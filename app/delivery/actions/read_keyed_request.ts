import type { HttpContext } from '@adonisjs/core/http'
import { invalidField } from '#core/exceptions/problems'
import { confinedTo } from '#app/auth/values/internal_caller'
import type { KeyedRequest } from '#app/delivery/actions/once_per_key'

export const MAX_KEY_LENGTH = 255
const HEADER = 'idempotency-key'

/**
 * The request's `Idempotency-Key` with what it is bound to: the applications, the path and the
 * exact body. Null without one.
 *
 * @throws ValidationError for an empty or too long key
 */
export function keyedRequest({
  request,
  rawBody,
  internalCaller,
}: HttpContext): KeyedRequest | null {
  // The framework takes an empty one for none; sending twice is what that would cost.
  const key = request.header(HEADER) ?? request.headers()[HEADER]
  if (typeof key !== 'string') return null
  if (key.trim() === '' || key.length > MAX_KEY_LENGTH) {
    throw invalidField(
      'Idempotency-Key',
      'maxLength',
      `The header Idempotency-Key must have 1 to ${MAX_KEY_LENGTH} characters`
    )
  }
  const scope = confinedTo(internalCaller) ?? applicationsIn(request.body()).join('\n')
  return { key, scope, content: Buffer.concat([Buffer.from(`${request.url()}\n`), rawBody]) }
}

/** The applications that a single or bulk request names, sorted. */
function applicationsIn(body: Record<string, unknown>): string[] {
  const items: unknown[] = Array.isArray(body.notifications) ? body.notifications : [body]
  const codes = items.map((item) => (item as { appCode?: unknown } | null)?.appCode)
  return [...new Set(codes.filter((code) => typeof code === 'string'))].sort()
}
