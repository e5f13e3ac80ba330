import type { ApiClient } from '@japa/api-client'
import type Application from '#app/applications/models/application'
import { finishPendingRounds } from '#app/delivery/actions/track_round'
import { DigestSource } from '#app/delivery/background/digest_source'
import Digest from '#app/delivery/models/digest'
import { duePendingSends } from '#app/delivery/queries/due_pending_sends'
import type { SendResult } from '#app/delivery/values/notification_request'
import Notification from '#app/notifications/models/notification'
import type NotificationType from '#app/notifications/models/notification_type'
import type { TypeDigest } from '#app/notifications/values/digest_frequency'
import User from '#app/profiles/models/user'
import { aType, sendNotification } from '#tests/helpers/deliveries'
import { processDueSends } from '#tests/helpers/pending_sends'
import { LONG_AGO } from '#tests/helpers/provider_hook'

export const DAILY: TypeDigest = {
  allowed: ['hourly', 'daily', 'weekly'],
  default: 'daily',
  templateKey: null,
}

/** Its mails are part of a daily digest unless a user chooses otherwise. */
export const aDigestedType = (application: Application, digest: Partial<TypeDigest> = {}) =>
  aType(application, { digest: { ...DAILY, ...digest } })

/** Sends to one user. */
export async function sendDigested(
  client: ApiClient,
  { application, type }: { application: Application; type: NotificationType },
  recipientEmail: string,
  data: object = { subject: 'Hello', body: 'Something happened' },
  fields: object = {}
): Promise<SendResult> {
  const request = { recipientEmail, appCode: application.code, type: type.code, data, ...fields }
  const response = await sendNotification(client, request)
  response.assertStatus(200)
  return response.body().data
}

export async function waitingDigest(email: string): Promise<Digest | null> {
  const user = await User.findBy({ email })
  return user && Digest.findBy({ userId: user.id })
}

export async function makeDigestsDue(...emails: string[]) {
  const users = await User.query().whereIn('email', emails).select('id')
  const ids = users.map(({ id }) => id)
  await Digest.query().whereIn('userId', ids).update({ due_at: LONG_AGO.toISO() })
}

export async function prepareDigests() {
  const source = new DigestSource()
  while (await source.work()) continue
}

/** Lets the digests of the users fall due, and sends them. */
export async function reachDigests(...emails: string[]) {
  await makeDigestsDue(...emails)
  await prepareDigests()
  // Only a few at a time are sent with one mail account.
  do {
    await processDueSends()
    await finishPendingRounds()
  } while ((await duePendingSends().count('* as rows').first())!.$extras.rows > 0)
}

/** The log entries of the digests that a user got. */
export const digestsOf = (email: string) =>
  Notification.query().where({ email }).whereNotNull('digestSize').orderBy('id')
