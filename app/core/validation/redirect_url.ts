import vine from '@vinejs/vine'
import type { FieldContext } from '@vinejs/vine/types'
import app from '@adonisjs/core/services/app'
import { isLoopbackHost } from '#core/network/loopback'

/** Scheme, host, port and the rest, in the ASCII of RFC 3986; no credentials. */
const WRITTEN =
  /^https?:\/\/([a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?(?:[/?][^\s"#*<>[\\\]^`{|}]*)?$/i
const ASCII = /^[\x21-\x7E]+$/

/**
 * Rejects credentials, fragments (RFC 6749 3.1.2), `*` (a wildcard for some providers), and hosts
 * that are not canonical, because super admins approve them by sight.
 */
export function isRedirectUrl(text: string): boolean {
  const host = ASCII.test(text) ? WRITTEN.exec(text)?.[1].toLowerCase() : undefined
  const url = URL.parse(text)
  if (host === undefined || url === null || url.hostname !== host) return false
  return url.protocol === 'https:' || (!app.inProduction && isLoopbackHost(host))
}

const redirectUrlRule = vine.createRule(
  (value: unknown, _: undefined, field: FieldContext) => {
    if (!field.isValid || typeof value !== 'string' || isRedirectUrl(value)) return
    field.report(
      '{{ field }} must be an ASCII https URL without credentials, fragment or *; outside production, http on localhost is also allowed',
      'redirectUrl',
      field
    )
  },
  { toJSONSchema: (schema) => Object.assign(schema, { format: 'uri', pattern: '^https?://' }) }
)

export const redirectUrl = () => vine.string().maxLength(2_048).use(redirectUrlRule())
