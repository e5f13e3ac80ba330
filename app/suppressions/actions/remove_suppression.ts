import { lockUntilCommit } from '#core/database/lock_until_commit'
import { recordChange } from '#core/audit/record_change'
import { transaction } from '#core/database/transaction'
import { SuppressionNotFound } from '#app/suppressions/exceptions'
import MailBounce from '#app/suppressions/models/mail_bounce'
import Suppression from '#app/suppressions/models/suppression'
import { suppressionRemoved } from '#app/suppressions/transformers/suppression_changes'

/**
 * Makes an address usable again. Its bounces are forgotten, so that the next one counts.
 * @throws SuppressionNotFound
 */
export async function removeSuppression(email: string): Promise<void> {
  await transaction(async (trx) => {
    await lockUntilCommit(trx, `record ${email}`)
    const suppression = await Suppression.findOfAddress(email, trx)
    if (!suppression) throw new SuppressionNotFound()
    await recordChange(trx, suppressionRemoved(email, suppression))
    await suppression.delete()
    await MailBounce.query({ client: trx }).where({ email }).delete()
  })
}
