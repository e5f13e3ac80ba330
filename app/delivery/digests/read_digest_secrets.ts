import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { RowSizes } from '#core/database/row_sizes'
import { cutSecret } from '#core/values/redact'
import { QuotableSecrets } from '#core/values/short_line'
import { SENSITIVE_DIGEST_KEYS } from '#app/delivery/digests/compose_digest'
import type { WaitingItems } from '#app/delivery/digests/read_digest_items'
import { readSensitiveKeys } from '#app/notifications/actions/read_sensitive_keys'
import Notification from '#app/notifications/models/notification'
import { MIN_REDACTED_LENGTH, sensitiveTexts } from '#app/notifications/values/sensitive_variables'

/** Of payloads that are read in one turn of the event loop. */
const PART_BYTES = 262_144
/** Of payloads that are read for one report about a mail. */
const MAX_REPORT_BYTES = 1_048_576

const payloadSizes = new RowSizes('notifications', { json: ['payload'] })

/**
 * What must not be recorded when a server quotes a digest: what it shows of its messages, and the
 * sensitive values of all of them (digests.md#sensitive-values-in-digests).
 */
export async function readDigestSecrets(
  data: Record<string, unknown>,
  { ids, shown }: WaitingItems
): Promise<string[]> {
  const secrets = new QuotableSecrets()
  await addValues(await withSensitiveKeys(ids), secrets)
  if (!secrets.areTooMany) secrets.add(shown.flatMap(({ text }) => cutValues(text, secrets.all)))
  secrets.add(sensitiveTexts(data, SENSITIVE_DIGEST_KEYS))
  return secrets.all
}

/**
 * The sensitive values of a message and, if its mail was a digest, of all messages in it. Null if
 * they are no longer known, or are in too much data: each message can be reported several times.
 */
export async function readMailSecrets(
  { id, digestId }: Notification,
  trx: TransactionClientContract
): Promise<string[] | null> {
  const ids = digestId === null ? [id] : await idsInDigest(digestId, trx)
  if (ids === null) return null
  const keyed = await withSensitiveKeys(ids, trx)
  if (keyed.length > (await payloadSizes.fitting(keyed, MAX_REPORT_BYTES, trx))) return null
  const secrets = new QuotableSecrets()
  await addValues(keyed, secrets, trx)
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

/** Those that can have sensitive values. The payloads of the others, usually all, are not read. */
async function withSensitiveKeys(ids: number[], client?: TransactionClientContract) {
  const entries = await Notification.query({ client })
    .whereIn('id', ids)
    .orderBy('id')
    .select('id', 'appCode', 'type', 'templateKey', 'sensitiveVariables', 'inInbox')
  const withoutPayloads = entries.map((entry) => entry.merge({ payload: {} }))
  const keys = await readSensitiveKeys(withoutPayloads, client)
  return entries.flatMap(({ id, sensitiveVariables }, index) =>
    keys[index].length > 0 || sensitiveVariables === null ? id : []
  )
}

async function addValues(
  ids: number[],
  secrets: QuotableSecrets,
  client?: TransactionClientContract
) {
  let left = ids
  while (left.length > 0 && !secrets.areTooMany) {
    // At least one, however large it is.
    const count = Math.max(1, await payloadSizes.fitting(left, PART_BYTES, client))
    const entries = await Notification.query({ client })
      .whereIn('id', left.slice(0, count))
      .select('appCode', 'type', 'templateKey', 'payload', 'sensitiveVariables', 'inInbox')
    const keys = await readSensitiveKeys(entries, client)
    for (const [index, { payload }] of entries.entries()) {
      secrets.add(sensitiveTexts(payload, keys[index]))
    }
    left = left.slice(count)
    await nextTurn()
  }
}

/** A digest shows the beginnings of long texts, which can end within a value. */
function cutValues(text: string, values: string[]): string[] {
  if (!text.endsWith('…')) return []
  const shown = text.replace(/\ufffd?…$/, '')
  const parts = values.map((value) => cutSecret(shown, value))
  return parts.filter((part) => part.length >= MIN_REDACTED_LENGTH)
}
