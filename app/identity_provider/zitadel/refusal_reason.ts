import type { UnusableResponse } from '#core/network/outbound_json'
import { shortLine } from '#core/values/short_line'
import type { ServiceAccount } from '#app/identity_provider/zitadel/service_account'

const MAX_LENGTH = 200

/** Why the provider refused a request, in a form that callers may see. */
export function refusalReason({ body }: UnusableResponse, account: ServiceAccount): string {
  const message = (body as { message?: unknown } | null | undefined)?.message
  if (typeof message !== 'string') return 'invalid'
  return shortLine(message, account.tokens, MAX_LENGTH) || 'invalid'
}
