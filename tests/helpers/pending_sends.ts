import type { ApiClient } from '@japa/api-client'
import PendingSend from '#app/delivery/models/pending_send'
import { PendingSendSource } from '#app/delivery/background/pending_send_source'
import Notification from '#app/notifications/models/notification'
import type { SendResult } from '#app/delivery/values/notification_request'
import { sendNotification } from '#tests/helpers/deliveries'
import { eventually } from '#tests/helpers/eventually'
import { anApplication } from '#tests/helpers/people'
import { LONG_AGO } from '#tests/helpers/provider_hook'

export const TEXT = { subject: 'Hello', body: 'Something happened' }

/** Sends to one person, with an hour of retries by default. */
export async function sendDurably(
  client: ApiClient,
  recipientEmail: string,
  fields: object = {},
  headers?: Record<string, string>
): Promise<SendResult> {
  const { code: appCode } = await anApplication()
  const request = { recipientEmail, appCode, type: 'generic', data: TEXT, retryHours: 1 }
  const response = await sendNotification(client, { ...request, ...fields }, headers)
  response.assertStatus(200)
  return response.body().data
}

export const findPendingSend = (notificationId: number) => PendingSend.findBy({ notificationId })

/** Skips the pause before the next round, or the claim of a dead process. */
export async function makeDue(...notificationIds: number[]) {
  const sends = await PendingSend.query().whereIn('notificationId', notificationIds)
  for (const send of sends) await send.merge({ dueAt: LONG_AGO }).save()
}

export async function processDueSends(source = new PendingSendSource()) {
  while (await source.work()) continue
}

/** Runs the next round of a send and returns its log entry. */
export async function runNextRound({ id }: SendResult) {
  const before = await findPendingSend(id)
  await makeDue(id)
  await processDueSends()
  await eventually('the round is written down', async () => {
    const pending = await findPendingSend(id)
    return pending === null || pending.rounds > before!.rounds
  })
  return Notification.findOrFail(id)
}
