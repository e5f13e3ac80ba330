import type Application from '#app/applications/models/application'
import Broadcast from '#app/broadcasts/models/broadcast'
import BroadcastRecipient from '#app/broadcasts/models/broadcast_recipient'
import type { BroadcastRequest } from '#app/broadcasts/values/broadcast_request'
import { aBroadcast, uniqueEmails } from '#tests/helpers/broadcasts'
import { aNotification } from '#tests/helpers/inbox'

const NEVER = '2099-01-01T00:00:00Z'

/** A completed broadcast that two recipients got, one missed and one was left out of. */
export async function aMixedBroadcast(
  application: Application,
  answer: string,
  fields: Partial<BroadcastRequest> = {}
) {
  const { code: appCode } = application
  const emails = uniqueEmails(4)
  const audience = { kind: 'emails' as const, emails }
  const { id } = await aBroadcast(application, { audience, scheduledAt: NEVER, ...fields })
  const outcomes = [
    { status: 'sent', statusReason: null },
    { status: 'sent', statusReason: null },
    { status: 'failed', statusReason: `SMTP_ERROR: 550 ${answer}` },
    { status: 'skipped', statusReason: 'NO_CHANNEL' },
  ] as const
  for (const [index, outcome] of outcomes.entries()) {
    const entry = await aNotification(emails[index], { appCode, ...outcome })
    await BroadcastRecipient.query()
      .where({ broadcastId: id, email: emails[index] })
      .update({ status: outcome.status, notification_id: entry.id })
  }
  const now = new Date().toISOString()
  await Broadcast.query()
    .where('id', id)
    .update({ status: 'completed', sent: 2, failed: 1, skipped: 1, started_at: now })
  return id
}
