import { lockUntilCommit } from '#core/database/lock_until_commit'
import { recordChange } from '#core/audit/record_change'
import { userTarget } from '#core/audit/user_target'
import { transaction } from '#core/database/transaction'
import { SuppressionNotFound } from '#app/suppressions/exceptions'
import MailBounce from '#app/suppressions/models/mail_bounce'
import Suppression from '#app/suppressions/models/suppression'

/**
 * Makes an address usable again. Its bounces are forgotten, so that the next one counts.
 * @throws SuppressionNotFound
 */
export async function removeSuppression(email: string): Promise<void> {
  await transaction(async (trx) => {
    await lockUntilCommit(trx, `record ${email}`)
    const suppression = await Suppression.findOfAddress(email, trx)
    if (!suppression) throw new SuppressionNotFound()
    const { reason, note } = suppression
    await recordChange(trx, {
      ...{ action: 'suppression.removed', application: null, target: userTarget(email) },
      ...{ before: { reason, note }, after: null, email },
    })
    await suppression.delete()
    await MailBounce.query({ client: trx }).where({ email }).delete()
  })
}
