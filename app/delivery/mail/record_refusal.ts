import logger from '@adonisjs/core/services/logger'
import { lockUntilCommit } from '#core/database/lock_until_commit'
import { transaction } from '#core/database/transaction'
import { describeError } from '#core/exceptions/describe_error'
import { parseNotificationReference } from '#app/delivery/values/notification_reference'
import type { OutgoingMail } from '#app/delivery/values/outgoing_message'
import Notification from '#app/notifications/models/notification'
import { recordBounce } from '#app/suppressions/actions/record_bounce'
import type { BounceKind } from '#app/suppressions/values/bounce_kind'

/**
 * Counts the refusal of a recipient as a bounce (suppressions.md#refused-recipients). Never throws:
 * the result of the delivery is the same.
 *
 * @param text of the server, without secrets
 */
export async function recordRefusal(
  { reference, recipient: { email } }: OutgoingMail,
  kind: BounceKind,
  text: string
) {
  const notificationId = parseNotificationReference(reference)?.id ?? null
  await transaction(async (trx) => {
    await lockUntilCommit(trx, `record ${email}`)
    // The recipient may have been erased since the mail was composed.
    if (notificationId !== null) {
      const isKnown = await Notification.findBy({ id: notificationId, email }, { client: trx })
      if (!isKnown) return
    }
    await recordBounce({ email, kind, notificationId, text }, trx)
  }).catch((error: unknown) =>
    logger.error({ error: describeError(error) }, 'A refused recipient could not be recorded')
  )
}
