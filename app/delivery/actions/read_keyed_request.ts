import type { HttpContext } from '@adonisjs/core/http'
import { byBytes } from '#core/values/byte_order'
import { invalidField } from '#core/exceptions/problems'
import Application from '#app/applications/models/application'
import { MAX_BULK } from '#app/delivery/validators/notification_validator'
import type { KeyedRequest } from '#app/delivery/actions/run_once_per_key'

export const MAX_KEY_LENGTH = 255
const HEADER = 'idempotency-key'

/**
 * Null without the header (delivery.md#idempotency-key).
 * @param scopeOf where the key is not the same as elsewhere
 * @throws ValidationError
 */
export async function readKeyedRequest(
  { request, rawBody }: HttpContext,
  scopeOf: () => string | Promise<string>
): Promise<KeyedRequest | null> {
  // The framework treats an empty header as absent, which could cause a second send.
  const key = request.header(HEADER) ?? request.headers()[HEADER]
  if (typeof key !== 'string') return null
  const isBlank = key.trim() === ''
  if (isBlank || key.length > MAX_KEY_LENGTH) {
    throw invalidField(
      'Idempotency-Key',
      isBlank ? 'minLength' : 'maxLength',
      `The header Idempotency-Key must have 1 to ${MAX_KEY_LENGTH} characters`,
      { min: 1, max: MAX_KEY_LENGTH }
    )
  }
  const scope = await scopeOf()
  return { key, scope, content: Buffer.concat([Buffer.from(`${request.url()}\n`), rawBody]) }
}

/**
 * One application is named by its id, because the code of a deleted one can be used again. Several
 * are named by their codes, because a repetition must find the first response also if one of them
 * was created or deleted since.
 */
export async function scopeOfSend({ internalCaller, request }: HttpContext): Promise<string> {
  if (internalCaller.kind === 'application') return String(internalCaller.applicationId)
  const codes = codesIn(request.body())
  if (codes.length > 1) return codes.toSorted(byBytes).join('\n')
  const application = await Application.query().whereIn('code', codes).select('id').first()
  return String(application?.id ?? '')
}

function codesIn(body: Record<string, unknown>): string[] {
  const items: unknown[] = Array.isArray(body.notifications) ? body.notifications : [body]
  // The limit of a bulk request is checked only later.
  const codes = items
    .slice(0, MAX_BULK)
    .map((item) => (item as { appCode?: unknown } | null)?.appCode)
  return [...new Set(codes.filter((code) => typeof code === 'string'))]
}
