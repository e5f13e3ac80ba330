import { lockUntilCommit } from '#core/database/lock_until_commit'
import { recordChange } from '#core/audit/record_change'
import { transaction } from '#core/database/transaction'
import { AddressSuppressed } from '#app/suppressions/exceptions'
import Suppression from '#app/suppressions/models/suppression'
import { suppressionAdded } from '#app/suppressions/transformers/suppression_changes'
import type { SuppressionReason } from '#app/suppressions/values/suppression_reason'

export interface SuppressionFields {
  email: string
  reason?: SuppressionReason
  note?: string | null
}

/** @throws AddressSuppressed */
export async function addSuppression({
  email,
  reason = 'manual',
  note = null,
}: SuppressionFields): Promise<Suppression> {
  return transaction(async (trx) => {
    await lockUntilCommit(trx, `record ${email}`)
    if (await Suppression.findOfAddress(email, trx)) throw new AddressSuppressed()
    const suppression = await Suppression.create({ email, reason, note }, { client: trx })
    await recordChange(trx, suppressionAdded(email, suppression))
    return suppression.refresh()
  })
}
