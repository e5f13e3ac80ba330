import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { cutSecret } from '#core/values/redact'
import { QuotableSecrets } from '#core/values/short_line'
import { SENSITIVE_DIGEST_KEYS } from '#app/delivery/digests/compose_digest'
import type { WaitingItems } from '#app/delivery/digests/read_digest_items'
import { readSensitiveKeys } from '#app/notifications/actions/read_sensitive_keys'
import Notification from '#app/notifications/models/notification'
import { MIN_REDACTED_LENGTH, sensitiveTexts } from '#app/notifications/values/sensitive_variables'

/** Payloads in memory at a time. */
const PAGE_SIZE = 50

/**
 * What must not be recorded when a server quotes a digest: what it shows of its messages, and the
 * sensitive values of all of them (digests.md#sensitive-values-in-digests).
 */
export async function readDigestSecrets(
  data: Record<string, unknown>,
  { ids, shown }: WaitingItems
): Promise<string[]> {
  const secrets = new QuotableSecrets()
  await addValues(ids, secrets)
  if (!secrets.areTooMany) secrets.add(shown.flatMap(({ text }) => cutValues(text, secrets.all)))
  secrets.add(sensitiveTexts(data, SENSITIVE_DIGEST_KEYS))
  return secrets.all
}

/**
 * The sensitive values of a message and, if its mail was a digest, of all messages in it. Null if
 * they are no longer known.
 */
export async function readMailSecrets(
  { id, digestId }: Notification,
  trx: TransactionClientContract
): Promise<string[] | null> {
  const ids = digestId === null ? [id] : await idsInDigest(digestId, trx)
  if (ids === null) return null
  const secrets = new QuotableSecrets()
  await addValues(ids, secrets, trx)
  return secrets.all
}

/** Null if some of them, or the entry that says how many they were, were deleted. */
async function idsInDigest(
  digestId: number,
  client: TransactionClientContract
): Promise<number[] | null> {
  const digest = await Notification.find(digestId, { client })
  const entries = await Notification.query({ client }).where({ digestId }).select('id')
  return entries.length === digest?.digestSize ? entries.map(({ id }) => id) : null
}

async function addValues(
  ids: number[],
  secrets: QuotableSecrets,
  client?: TransactionClientContract
) {
  for (let first = 0; first < ids.length && !secrets.areTooMany; first += PAGE_SIZE) {
    const entries = await Notification.query({ client })
      .whereIn('id', ids.slice(first, first + PAGE_SIZE))
      .select('appCode', 'type', 'templateKey', 'payload', 'sensitiveVariables', 'inInbox')
    const keys = await readSensitiveKeys(entries, client)
    for (const [index, { payload }] of entries.entries()) {
      secrets.add(sensitiveTexts(payload, keys[index]))
    }
  }
}

/** A digest shows the beginnings of long texts, which can end within a value. */
function cutValues(text: string, values: string[]): string[] {
  if (!text.endsWith('…')) return []
  const shown = text.replace(/\ufffd?…$/, '')
  const parts = values.map((value) => cutSecret(shown, value))
  return parts.filter((part) => part.length >= MIN_REDACTED_LENGTH)
}
