import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { addressFingerprint } from '#app/suppressions/values/suppressed_keys'
import { KEPT_AFTER_ERASURE } from '#app/suppressions/values/suppression_reason'

/**
 * For the erasure of a user. A suppression that people decided is kept without the address
 * (suppressions.md#erased-users).
 *
 * @returns the number of rows that named the address
 */
export async function forgetSuppression(
  email: string,
  trx: TransactionClientContract
): Promise<number> {
  const kept = await trx
    .from('suppressions')
    .where({ email })
    .whereIn('reason', [...KEPT_AFTER_ERASURE])
    .update({ email: addressFingerprint(email), note: null, notification_id: null })
  return Number(kept) + Number(await passingSuppression(email, trx).delete())
}

/** What an erasure deletes. */
export const passingSuppression = (email: string, trx: TransactionClientContract) =>
  trx
    .from('suppressions')
    .where({ email })
    .whereNotIn('reason', [...KEPT_AFTER_ERASURE])
