import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { shortLine } from '#core/values/short_line'
import { readMailTokens } from '#app/bounces/actions/read_mail_tokens'
import { readMailSecrets } from '#app/delivery/digests/read_digest_secrets'
import type Notification from '#app/notifications/models/notification'

/** A reply code and an enhanced status code (RFC 3463). */
const CODES = /^(?:[245]\d\d)?[ -]?(?:[245]\.\d{1,3}\.\d{1,3})?(?=\s|$)/

/**
 * Returns the part of a text about a mail that is safe to record and show. If the mail has codes or
 * links, which the server may quote, or its secrets are no longer known, only the status codes of
 * the text are kept (delivery.md#texts-of-mail-servers).
 */
export async function recordableText(
  text: string | null,
  notification: Notification,
  trx: TransactionClientContract
): Promise<string | null> {
  if (text === null) return null
  const secrets = notification.inInbox ? await readMailSecrets(notification, trx) : null
  if (secrets !== null) {
    const tokens = await readMailTokens(notification, trx)
    return shortLine(text, [...secrets, ...tokens]) || null
  }
  return CODES.exec(text.trim())?.[0].trim() || null
}
