import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import { DateTime } from 'luxon'
import db from '@adonisjs/lucid/services/db'
import { Deadline } from '#core/values/deadline'
import { messageBudget } from '#app/delivery/message_budget'
import { recordTexts } from '#app/delivery/actions/record_texts'
import { notificationRecord } from '#app/delivery/values/notification_record'
import BroadcastRecipient from '#app/broadcasts/models/broadcast_recipient'
import PendingSend from '#app/delivery/models/pending_send'
import Notification from '#app/notifications/models/notification'
import User from '#app/profiles/models/user'
import { aBroadcast, startBroadcastWorker, waitForBroadcastStatus } from '#tests/helpers/broadcasts'
import { dumpDatabase } from '#tests/helpers/database_dump'
import {
  postInternalNotification,
  sendNotification,
  withOwnServer,
} from '#tests/helpers/deliveries'
import { eventually } from '#tests/helpers/eventually'
import { aNotification } from '#tests/helpers/inbox'
import { inPath } from '#tests/helpers/management'
import {
  anApplication,
  anOldApplication,
  superAdmin,
  uniqueCode,
  uniqueEmail,
} from '#tests/helpers/people'
import { findPendingSend, refusedPerson, sendDurably } from '#tests/helpers/pending_sends'
import { hasWaitingTransaction } from '#tests/helpers/waiting_transactions'
import { TestSmtpServer } from '#tests/world/smtp_server'

const TEXT = { subject: 'Hello', body: 'Something happened' }

/** All that one holder may take of the memory for messages */
const PLATFORM_BUDGET = 32 * 1_048_576

type Cleanup = (callback: () => Promise<void>) => void

/** Their mail server refuses them, and an administrator erases them before it says so. */
async function someoneErasedMeanwhile(client: ApiClient, cleanup: Cleanup) {
  const email = uniqueEmail()
  const server = await new TestSmtpServer().start()
  cleanup(() => server.stop())
  await withOwnServer(email, server)
  let erasure: Promise<number> | undefined
  const erase = async () => {
    const response = await superAdmin(client).delete(`/api/users/${inPath(email)}`)
    return response.status()
  }
  server.refusal = `no ${email} here`
  server.react = async (stage) => {
    if (stage !== 'RCPT') return undefined
    if ((await (erasure ??= erase())) !== 204) throw new Error('The erasure was refused')
    return 550
  }
  return { email, server, erase }
}

test.group('An erasure while a message is being sent', () => {
  test('leaves no text of the mail server about the user', async ({ assert, client, cleanup }) => {
    const { email } = await someoneErasedMeanwhile(client, cleanup)
    const { code: appCode } = await anApplication()
    const request = { recipientEmail: email, appCode, type: 'generic', data: TEXT }
    const response = await sendNotification(client, request)
    const { id, status } = response.body().data
    assert.equal(status, 'failed')
    const entry = await Notification.findOrFail(id)
    assert.match(entry.email, /^erased-/)
    assert.equal(entry.statusReason, 'SMTP_ERROR')
    assert.notInclude(await dumpDatabase(), email)
  })

  test('leaves no text of the mail server in the response that is kept for a key', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { code: appCode } = await anApplication()
    const send = { appCode, type: 'generic', data: TEXT }
    for (const path of ['', '/bulk']) {
      const { email } = await someoneErasedMeanwhile(client, cleanup)
      const request = { ...send, recipientEmail: email }
      const body = path === '' ? request : { notifications: [request] }
      const headers = { 'idempotency-key': uniqueCode('key') }
      const post = async () => {
        const response = await postInternalNotification(client, path, body, headers)
        response.assertStatus(200)
        const { data } = response.body()
        return Array.isArray(data) ? data[0] : data
      }
      const first = await post()
      assert.notInclude(await dumpDatabase(), email)
      assert.deepEqual(await post(), { ...first, statusReason: 'SMTP_ERROR' })
    }
  })

  test('leaves no text of the mail server in a durable send', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { email } = await someoneErasedMeanwhile(client, cleanup)
    const { id } = await sendDurably(client, email)
    assert.match((await Notification.findOrFail(id)).email, /^erased-/)
    assert.notInclude(await dumpDatabase(), email)
  })

  test('leaves no text of a message that was rendered again', async ({ assert, client }) => {
    const email = uniqueEmail()
    const application = await anApplication()
    const fields = { type: 'generic', status: 'failed' } as const
    const before = await aNotification(email, { ...fields, appCode: application.code })
    await superAdmin(client).delete(`/api/users/${inPath(email)}`)
    const subject = `Hello ${email}`
    const record = { ...fields, email, subject, statusReason: null }
    await recordTexts([{ notification: before, record: notificationRecord(application, record) }])
    assert.equal((await Notification.findOrFail(before.id)).subject, '')
  })

  test('leaves no text of the mail server in a broadcast, and skips the recipient', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { email } = await someoneErasedMeanwhile(client, cleanup)
    const application = await anApplication()
    const broadcast = await aBroadcast(application, {
      audience: { kind: 'emails', emails: [email] },
    })
    startBroadcastWorker(cleanup)
    const { skipped, failed } = await waitForBroadcastStatus(broadcast.id, 'completed')
    assert.deepEqual([skipped, failed], [1, 0])
    const [recipient] = await BroadcastRecipient.query().where('broadcastId', broadcast.id)
    assert.equal(recipient.status, 'skipped')
    assert.notInclude(await dumpDatabase(), email)
  })
})

test.group('A send that was accepted before an erasure', () => {
  test('is recorded as one after it', async ({ assert, client, cleanup }) => {
    const { code: appCode } = await anApplication()
    const email = uniqueEmail()
    // Sends know their recipients before they wait for memory.
    const memory = await messageBudget.reserve('platform', PLATFORM_BUDGET, new Deadline(5_000))
    cleanup(() => memory?.release())
    const request = { recipientEmail: email, appCode, type: 'generic', data: TEXT }
    const sent = sendNotification(client, request).then((response) => response)
    const former = await eventually('a record', async () => {
      return (await User.findBy({ email })) ?? undefined
    })
    const erased = await superAdmin(client).delete(`/api/users/${inPath(email)}`)
    erased.assertStatus(204)
    memory!.release()
    const response = await sent
    response.assertStatus(200)
    const user = await User.findByOrFail({ email })
    assert.notEqual(user.id, former.id)
    const entries = await Notification.query().where({ email })
    assert.deepEqual(
      entries.map(({ id }) => id),
      [response.body().data.id]
    )
  })

  test('leaves no log entry without a user record', async ({ assert, client }) => {
    const { code: appCode } = await anApplication()
    const emails = Array.from({ length: 20 }, () => uniqueEmail())
    const notifications = emails.map((email, index) => ({
      recipientEmail: email,
      appCode,
      type: 'generic',
      data: TEXT,
      retryHours: index % 2,
    }))
    await postInternalNotification(client, '/bulk', { notifications })
    const sends = [
      ...notifications.map((request) => sendNotification(client, request)),
      postInternalNotification(client, '/bulk', { notifications }),
    ]
    const erasures = emails.map((email) => superAdmin(client).delete(`/api/users/${inPath(email)}`))
    const [sent, erased] = await Promise.all([Promise.all(sends), Promise.all(erasures)])
    for (const response of sent) response.assertStatus(200)
    for (const response of erased) response.assertStatus(204)
    const logged = await Notification.query().whereIn('email', emails).select('email')
    const users = await User.query().whereIn('email', emails).select('email')
    const known = new Set(users.map(({ email }) => email))
    assert.isEmpty(logged.filter(({ email }) => !known.has(email)))
  })
})

test.group('A failed message to an erased user', () => {
  test('cannot be sent again', async ({ assert, client, cleanup }) => {
    const { email, server, erase } = await someoneErasedMeanwhile(client, cleanup)
    const application = await anApplication()
    await application.merge({ createdAt: DateTime.utc().minus({ days: 1 }) }).save()
    const { code: appCode } = application
    server.react = () => 550
    const request = { recipientEmail: email, appCode, type: 'generic', data: TEXT }
    const { id } = (await sendNotification(client, request)).body().data
    await erase()
    const { email: pseudonym } = await Notification.findOrFail(id)
    const path = `/api/admin/notifications/log/${appCode}/${id}/resend`
    const refused = await superAdmin(client).post(path)
    refused.assertProblem(409, 'NOT_RESENDABLE')
    assert.isNull(await User.findBy({ email: pseudonym }))
  })

  test('regains no text if it is sent again in the same moment', async ({ assert, client }) => {
    const application = await anOldApplication()
    const admin = superAdmin(client)
    const entries: Notification[] = []
    for (let person = 0; person < 20; person++) {
      const entry = await aNotification(uniqueEmail(), {
        appCode: application.code,
        type: 'generic',
        status: 'failed',
        payload: TEXT,
        sensitiveVariables: [],
        createdAt: DateTime.utc().minus({ minutes: 5 }),
      })
      entries.push(entry)
    }
    const statuses = await Promise.all(
      entries.map(async ({ id, email }) => {
        const path = `/api/admin/notifications/log/${application.code}/${id}/resend`
        const [, erased] = await Promise.all([
          admin.post(path),
          admin.delete(`/api/users/${inPath(email)}`),
        ])
        return erased.status()
      })
    )
    assert.deepEqual(new Set(statuses), new Set([204]))
    for (const entry of entries) {
      const { email, subject } = await entry.refresh()
      assert.match(email, /^erased-/)
      assert.equal(subject, '')
    }
  })
})

if (process.env.DB_CONNECTION === 'pg') {
  test.group('An erasure while a round is recorded', () => {
    test('waits for the send before it locks the entry', async ({ assert, client, cleanup }) => {
      const { email } = await refusedPerson(cleanup)
      const { id } = await sendDurably(client, email)
      const recording = await db.transaction()
      cleanup(async () => void (recording.isCompleted || (await recording.rollback())))
      // Otherwise PostgreSQL would abort the erasure, which would begin again.
      await recording.rawQuery("set local deadlock_timeout = '10ms'")
      const sends = PendingSend.query({ client: recording }).where({ notificationId: id })
      await sends.forUpdate()
      const erasing = superAdmin(client)
        .delete(`/api/users/${inPath(email)}`)
        .then((response) => response.status())
      await eventually('the erasure waits', hasWaitingTransaction)
      await Notification.query({ client: recording }).where({ id }).update({ status: 'failed' })
      await recording.commit()
      assert.equal(await erasing, 204)
      assert.isNull(await findPendingSend(id))
    })
  })
}
