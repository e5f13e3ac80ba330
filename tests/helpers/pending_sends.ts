import type { ApiClient } from '@japa/api-client'
import type { Assert } from '@japa/assert'
import type { DateTime } from 'luxon'
import db from '@adonisjs/lucid/services/db'
import { toDatabaseTimestamp } from '#core/database/columns'
import PendingSend from '#app/delivery/models/pending_send'
import { PendingSendSource } from '#app/delivery/background/pending_send_source'
import Notification from '#app/notifications/models/notification'
import type { SendResult } from '#app/delivery/values/notification_request'
import { sendNotification, withOwnServer } from '#tests/helpers/deliveries'
import { eventually } from '#tests/helpers/eventually'
import { anApplication, uniqueEmail } from '#tests/helpers/people'
import { LONG_AGO } from '#tests/helpers/provider_hook'
import { TestSmtpServer } from '#tests/world/smtp_server'

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

export type Cleanup = (callback: () => Promise<void>) => void

/** A person with their own mail server, which rejects mails temporarily. */
export async function refusedPerson(cleanup: Cleanup) {
  const server = await new TestSmtpServer().start()
  cleanup(() => server.stop())
  server.react = (stage) => (stage === 'RCPT' ? 451 : undefined)
  const email = uniqueEmail()
  const brand = await withOwnServer(email, server, { emailFrom: 'mail@acme.example' })
  return { server, email, brand }
}

interface Copies {
  times: number
  recipientId: number
  /** Of the recipient */
  email: string
  dueAt: DateTime
  cleanup: Cleanup
}

/** Adds copies of a send to another recipient. Their content cannot be read. */
export async function copyPendingSend(
  { id, notificationId }: PendingSend,
  { times, recipientId, email, dueAt, cleanup }: Copies
) {
  cleanup(async () => void (await db.from('notifications').where('email', email).delete()))
  await db.rawQuery(
    `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${times})
     ${await copyStatement('notifications', { email: '?' })}, numbers where original.id = ?`,
    [email, notificationId!]
  )
  const changes = {
    notification_id: 'entries.id',
    recipient_id: String(recipientId),
    due_at: `'${toDatabaseTimestamp(dueAt)}'`,
    content: `''`,
  }
  await db.rawQuery(
    `${await copyStatement('pending_sends', changes)}, notifications as entries
     where original.id = ? and entries.email = ?`,
    [id, email]
  )
}

/** Selects from `original`. */
async function copyStatement(table: string, changes: Record<string, string>) {
  const info = (await db.connection().columnsInfo(table)) as Record<string, unknown>
  const columns = Object.keys(info).filter((column) => column !== 'id')
  const values = columns.map((column) => changes[column] ?? `original.${column}`)
  return `insert into ${table} (${columns.join()}) select ${values.join()} from ${table} as original`
}

export const takes = (server: TestSmtpServer) => (server.react = () => undefined)

/** Expects one more round to end the send as failed, without a mail. */
export async function assertEnds(
  assert: Assert,
  result: SendResult,
  server: TestSmtpServer,
  reason: RegExp
) {
  const { status, statusReason } = await runNextRound(result)
  assert.equal(status, 'failed')
  assert.match(statusReason!, reason)
  assert.isEmpty(server.mails)
  assert.isNull(await findPendingSend(result.id))
}
