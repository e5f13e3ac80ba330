import type { DateTime } from 'luxon'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { recordSideEffect } from '#core/audit/record_change'
import { lockUntilCommit } from '#core/database/lock_until_commit'
import { transaction } from '#core/database/transaction'
import { shortLine } from '#core/values/short_line'
import { markBounced } from '#app/bounces/actions/mark_bounced'
import { recordableText } from '#app/bounces/actions/recordable_text'
import NotificationBounced from '#app/bounces/events/notification_bounced'
import Delivery from '#app/delivery/models/delivery'
import { NotificationNotFound } from '#app/notifications/exceptions'
import Notification from '#app/notifications/models/notification'
import { type RecordedBounce, recordBounce } from '#app/suppressions/actions/record_bounce'
import { suppressionAdded } from '#app/suppressions/transformers/suppression_changes'
import type { BounceKind } from '#app/suppressions/values/bounce_kind'

export interface BounceReport {
  /** Canonical */
  email: string
  kind: BounceKind
  /** The mail that came back; null if it is unknown */
  notificationId: number | null
  /** The reply of the mail server, of any length */
  text: string | null
}

/** What the reporter can see of the log. */
export interface ReportScope {
  /** Of an application, whose reports must be about mails of its own */
  appCode?: string
  /** Hides the entries of an earlier application with the same code */
  since?: DateTime
  /** A further condition on the entry, such as that it matches the envelope sender */
  isMeant?: (notification: Notification) => boolean
}

/**
 * Records a bounce with its log entry and suppresses the address if it is time to. A report that
 * arrives again changes nothing.
 *
 * @throws NotificationNotFound for a notification outside the scope, to another address, or
 *   without a mail if an application reports it
 */
export async function applyBounce(
  report: BounceReport,
  scope: ReportScope = {}
): Promise<RecordedBounce> {
  const { email, kind, notificationId } = report
  return transaction(async (trx) => {
    // An erasure of the recipient comes before or after it.
    await lockUntilCommit(trx, `record ${email}`)
    if (notificationId === null) {
      const said = shortLine(report.text ?? '', []) || null
      const recorded = await recordBounce({ email, kind, notificationId, text: said }, trx)
      await recordSuppression(email, recorded, trx)
      return recorded
    }
    const notification = await findReported(notificationId, email, scope, trx)
    const text = await recordableText(report.text, notification, trx)
    const recorded = await recordBounce({ email, kind, notificationId, text }, trx)
    if (!recorded.isNew) return recorded
    if (scope.appCode !== undefined) await recordSuppression(email, recorded, trx)
    if (!(await markBounced(notification, kind, text, trx))) return recorded
    await NotificationBounced.dispatch(notification, kind, text, recorded.suppression, trx)
    return recorded
  })
}

/** A suppression stops the mail of every application, so the audit trail says who caused it. */
async function recordSuppression(
  email: string,
  { isNewlySuppressed, suppression }: RecordedBounce,
  trx: TransactionClientContract
) {
  if (!isNewlySuppressed) return
  await recordSideEffect(trx, suppressionAdded(email, { reason: suppression, note: null }))
}

async function findReported(
  id: number,
  email: string,
  { appCode, since, isMeant = () => true }: ReportScope,
  trx: TransactionClientContract
): Promise<Notification> {
  const notification = await Notification.query({ client: trx }).where('id', id).forUpdate().first()
  const isVisible =
    notification?.email === email &&
    (appCode === undefined || notification.appCode === appCode) &&
    (since === undefined || notification.createdAt >= since)
  const isReportable = appCode === undefined || (await hasMail(id, trx))
  if (isVisible && isReportable && isMeant(notification)) return notification
  throw new NotificationNotFound({ detail: `Notification ${id} was not sent to this address` })
}

/** Otherwise an application could suppress any address, with a notification that was never sent. */
async function hasMail(notificationId: number, trx: TransactionClientContract): Promise<boolean> {
  const key = { notificationId, channel: 'email' }
  return (await Delivery.findBy(key, { client: trx })) !== null
}
