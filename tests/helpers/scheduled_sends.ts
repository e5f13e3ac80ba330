import type { ApiClient } from '@japa/api-client'
import { DateTime } from 'luxon'
import { ScheduledSendSource } from '#app/delivery/background/scheduled_send_source'
import type { SendResult } from '#app/delivery/values/notification_request'
import { finishPendingRounds } from '#app/delivery/actions/track_round'
import Notification from '#app/notifications/models/notification'
import { sendNotification } from '#tests/helpers/deliveries'
import { TEXT, makeDue, processDueSends } from '#tests/helpers/pending_sends'

export const inHours = (hours: number) => DateTime.utc().plus({ hours }).toISO()

/** Sends to one user in an hour. */
export async function schedule(
  client: ApiClient,
  fields: { recipientEmail: string; appCode: string; [field: string]: unknown },
  headers?: Record<string, string>
): Promise<SendResult> {
  const request = { type: 'generic', data: TEXT, sendAt: inHours(1), ...fields }
  const response = await sendNotification(client, request, headers)
  response.assertStatus(200)
  return response.body().data
}

/** Lets the time pass, and does what is due then. */
export async function reach(...ids: number[]) {
  await makeDue(...ids)
  await prepareDue()
  await processDueSends()
  await finishPendingRounds()
  return Notification.query().whereIn('id', ids).orderBy('id')
}

export async function prepareDue() {
  const source = new ScheduledSendSource()
  while (await source.work()) continue
}
