import type { HttpContext } from '@adonisjs/core/http'
import { invalidField } from '#core/exceptions/problems'
import Application from '#app/applications/models/application'
import type { InternalCaller } from '#app/auth/values/internal_caller'
import { MAX_BULK } from '#app/delivery/validators/notification_validator'
import type { KeyedRequest } from '#app/delivery/actions/once_per_key'

export const MAX_KEY_LENGTH = 255
const HEADER = 'idempotency-key'

/**
 * The request's `Idempotency-Key` with what it is bound to: the applications, the path and the
 * exact body. Null without one.
 *
 * @throws ValidationError for an empty or too long key
 */
export async function readKeyedRequest({
  request,
  rawBody,
  internalCaller,
}: HttpContext): Promise<KeyedRequest | null> {
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
  const scope = await scopeOf(internalCaller, request.body())
  return { key, scope, content: Buffer.concat([Buffer.from(`${request.url()}\n`), rawBody]) }
}

/** Ids and not codes: the next application with the code of a deleted one has keys of its own. */
async function scopeOf(caller: InternalCaller, body: Record<string, unknown>): Promise<string> {
  if (caller.kind === 'application') return String(caller.applicationId)
  const named = await Application.query().whereIn('code', codesIn(body)).select('id').orderBy('id')
  return named.map(({ id }) => id).join('\n')
}

/** The applications that a single or bulk request names. */
function codesIn(body: Record<string, unknown>): string[] {
  const items: unknown[] = Array.isArray(body.notifications) ? body.notifications : [body]
  // Whoever sends more is refused, but only after this.
  const codes = items
    .slice(0, MAX_BULK)
    .map((item) => (item as { appCode?: unknown } | null)?.appCode)
  return [...new Set(codes.filter((code) => typeof code === 'string'))]
}
