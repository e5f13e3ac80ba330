import { DateTime } from 'luxon'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { toDatabaseTimestamp } from '#core/database/columns'
import MailBounce from '#app/suppressions/models/mail_bounce'
import Suppression from '#app/suppressions/models/suppression'
import type { BounceKind } from '#app/suppressions/values/bounce_kind'
import type { SuppressionReason } from '#app/suppressions/values/suppression_reason'

export interface Bounce {
  email: string
  kind: BounceKind
  /** The mail that came back; null if it is unknown */
  notificationId: number | null
  /** What the mail server said */
  text: string | null
}

export interface RecordedBounce {
  /** False if the same report arrived earlier */
  isNew: boolean
  /** Why the address gets no mail now; null if it does */
  suppression: SuppressionReason | null
  /** Whether this report suppressed it */
  isNewlySuppressed: boolean
}

/**
 * Counts a bounce and suppresses its address if it is time to (suppressions.md#kinds-of-bounces).
 * The caller holds the lock `record <email>`.
 */
export async function recordBounce(
  bounce: Bounce,
  trx: TransactionClientContract
): Promise<RecordedBounce> {
  const { email, notificationId, text } = bounce
  const isNew = await insertBounce(bounce, trx)
  const known = await Suppression.findOfAddress(email, trx)
  const reason = isNew ? await reasonAfter(bounce, trx) : null
  if (reason !== null && !known) {
    await Suppression.create({ email, reason, note: text, notificationId }, { client: trx })
    return { isNew, suppression: reason, isNewlySuppressed: true }
  }
  // A complaint outlives an erasure, unlike what mail servers say.
  if (reason === 'complaint' && known && known.reason !== 'manual') {
    await known.merge({ reason }).save()
  }
  return { isNew, suppression: known?.reason ?? null, isNewlySuppressed: false }
}

async function insertBounce(
  { email, kind, notificationId }: Bounce,
  trx: TransactionClientContract
): Promise<boolean> {
  const key = { notificationId, kind }
  if (notificationId !== null && (await MailBounce.findBy(key, { client: trx }))) return false
  await MailBounce.create({ ...key, email }, { client: trx })
  return true
}

async function reasonAfter(
  { email, kind }: Bounce,
  trx: TransactionClientContract
): Promise<SuppressionReason | null> {
  if (kind === 'hard') return 'hard_bounce'
  if (kind === 'complaint') return 'complaint'
  const since = DateTime.utc().minus({ days: MailBounce.keptDays })
  const [{ $extras }] = await MailBounce.query({ client: trx })
    .where({ email, kind })
    .where('createdAt', '>=', toDatabaseTimestamp(since))
    .count('* as bounces')
  return Number($extras.bounces) >= MailBounce.softLimit ? 'soft_bounces' : null
}
