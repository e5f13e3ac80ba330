import { test } from '@japa/runner'
import { cancelBroadcast } from '#app/broadcasts/actions/cancel_broadcast'
import Broadcast from '#app/broadcasts/models/broadcast'
import BroadcastRecipient from '#app/broadcasts/models/broadcast_recipient'
import Delivery from '#app/delivery/models/delivery'
import { saveVersion } from '#app/notifications/actions/save_version'
import Notification from '#app/notifications/models/notification'
import broadcastsConfig from '#config/broadcasts'
import mailConfig from '#config/mail'
import {
  aBroadcast,
  pathOf,
  waitForBroadcastStatus,
  uniqueEmails,
  startBroadcastWorker,
} from '#tests/helpers/broadcasts'
import { aTemplate, aType, withOwnServer, withSharedServer } from '#tests/helpers/deliveries'
import { eventually } from '#tests/helpers/eventually'
import { aNotification } from '#tests/helpers/inbox'
import { anApplication, superAdmin, uniqueEmail } from '#tests/helpers/people'
import { TestSmtpServer } from '#tests/world/smtp_server'

test.group('A broadcast and a failing mail server', () => {
  test('waits while the server is down, and reaches everyone when it is back', async ({
    assert,
    cleanup,
  }) => {
    const server = await new TestSmtpServer().start()
    const emails = uniqueEmails(3)
    for (const email of emails) await withOwnServer(email, server)
    await server.stop()
    const { id } = await aBroadcast(await anApplication(), {
      audience: { kind: 'emails', emails },
    })
    startBroadcastWorker(cleanup)
    const tries = async () => {
      const recipients = await BroadcastRecipient.query().where('broadcastId', id)
      return recipients.map(({ tries: count, status }) => [count, status])
    }
    await eventually('all were tried', async () => (await tries()).every(([count]) => count === 1))
    await server.start()
    cleanup(() => server.stop())
    const done = await waitForBroadcastStatus(id, 'completed', 20_000)

    assert.deepEqual([done.sent, done.failed], [3, 0])
    assert.lengthOf(server.mails, 3)
    const records = await Notification.query().whereIn('email', emails)
    assert.lengthOf(records, 3)
    assert.isTrue(records.every(({ status, statusReason }) => status === 'sent' && !statusReason))
    const ids = records.map((record) => record.id)
    assert.lengthOf(await Delivery.query().whereIn('notificationId', ids), 3)
  })

  test('cuts off no mail, and counts no try, while others use all connections', async ({
    assert,
    cleanup,
  }) => {
    const { beginWithinMs, mailBudgetMs } = broadcastsConfig
    Object.assign(broadcastsConfig, { beginWithinMs: 1_000, mailBudgetMs: 1_500 })
    cleanup(() => void Object.assign(broadcastsConfig, { beginWithinMs, mailBudgetMs }))
    const server = await new TestSmtpServer().start()
    cleanup(() => server.stop())
    server.delayMs = 900
    const emails = uniqueEmails(3 * mailConfig.connectionsPerApplication)
    await withSharedServer(emails, server)
    const { id } = await aBroadcast(await anApplication(), {
      audience: { kind: 'emails', emails },
    })
    startBroadcastWorker(cleanup)
    const done = await waitForBroadcastStatus(id, 'completed', 30_000)
    assert.deepEqual([done.sent, done.failed], [emails.length, 0])
    assert.lengthOf(server.mails, emails.length)
    const recipients = await BroadcastRecipient.query().where('broadcastId', id)
    assert.isTrue(recipients.every(({ tries }) => tries === 0))
    const notifications = await Notification.query().whereIn('email', emails)
    const ids = notifications.map((record) => record.id)
    const deliveries = await Delivery.query().whereIn('notificationId', ids)
    assert.lengthOf(deliveries, emails.length)
    assert.isTrue(deliveries.every(({ attempts }) => attempts === 1))
  }).timeout(40_000)

  test('records the message that was sent after the retries', async ({ assert, cleanup }) => {
    const server = await new TestSmtpServer().start()
    cleanup(() => server.stop())
    const email = uniqueEmail()
    await withOwnServer(email, server)
    server.react = () => 451
    const application = await anApplication()
    const type = await aType(application)
    const template = await aTemplate(type, { en: { subject: 'One', body: '<p>News</p>' } })
    const { id } = await aBroadcast(application, {
      type: type.code,
      audience: { kind: 'emails', emails: [email] },
    })
    startBroadcastWorker(cleanup)
    await eventually('it was tried', async () => {
      return (await BroadcastRecipient.findBy({ broadcastId: id, tries: 1 })) !== null
    })
    const version = { subjectTemplate: 'Two', bodyTemplate: '<p>News</p>' }
    await saveVersion(template.id, 'en', version)
    server.react = () => undefined
    await BroadcastRecipient.query().where('broadcastId', id).update({ due_at: 1 })
    await waitForBroadcastStatus(id, 'completed', 20_000)
    const { subject } = await Notification.findByOrFail('email', email)
    assert.equal(server.mailsTo(email)[0].parsed.subject, subject)
    assert.equal(subject, 'Two')
  })

  test('does not repeat for long what the server receives without confirming it', async ({
    assert,
    cleanup,
  }) => {
    const server = await new TestSmtpServer().start()
    cleanup(() => server.stop())
    const email = uniqueEmail()
    await withOwnServer(email, server)
    let received = 0
    server.react = (stage) => {
      if (stage !== 'DATA') return undefined
      received++
      return 'cut'
    }
    const { id } = await aBroadcast(await anApplication(), {
      audience: { kind: 'emails', emails: [email] },
    })
    startBroadcastWorker(cleanup)
    for (const [index, pauseMs] of [5_000, 600_000, 1_800_000].entries()) {
      const recipient = await eventually('it was tried', async () => {
        return (await BroadcastRecipient.findBy({ broadcastId: id, tries: index + 1 })) ?? false
      })
      assert.closeTo(Number(recipient.dueAt) - Date.now(), pauseMs, 2_500)
      await BroadcastRecipient.query().where('broadcastId', id).update({ due_at: 1 })
    }
    const { failed } = await waitForBroadcastStatus(id, 'completed', 20_000)
    assert.equal(failed, 1)
    assert.equal(received, 8)
    const { statusReason } = await Notification.findByOrFail('email', email)
    assert.match(statusReason!, /connection was lost; the server may have accepted the mail/)
  })

  test('counts recipients who were tried as failed when it is cancelled', async ({
    assert,
    client,
    cleanup,
  }) => {
    const server = await new TestSmtpServer().start()
    cleanup(() => server.stop())
    const emails = uniqueEmails(2)
    for (const email of emails) await withOwnServer(email, server)
    server.react = () => 451
    const application = await anApplication()
    const { id } = await aBroadcast(application, {
      audience: { kind: 'emails', emails },
      ratePerSecond: 1,
    })
    startBroadcastWorker(cleanup)
    await eventually('one was tried', async () => {
      return (await BroadcastRecipient.findBy({ broadcastId: id, tries: 1 })) !== null
    })
    const admin = superAdmin(client)
    const cancelled = await admin.post(pathOf(application, `${id}/cancel`))
    cancelled.assertStatus(200)
    const records = await eventually('those who were tried are counted', async () => {
      const open = BroadcastRecipient.query().where('broadcastId', id).whereNull('status')
      const waiting = await open.whereNotNull('notificationId').first()
      const { failed } = await Broadcast.findOrFail(id)
      const tried = await Notification.query().whereIn('email', emails)
      return waiting === null && failed === tried.length && tried
    })
    assert.isNotEmpty(records)

    const [record] = records
    const path = `/api/admin/notifications/log/${application.code}/${record.id}`
    const entry = await admin.get(path)
    const { deliveries } = entry.body().data
    assert.containSubset(deliveries, [{ channel: 'email', status: 'failed', nextAttemptAt: null }])
    assert.match(deliveries[0].error, /^451/)
    server.react = () => undefined
    const again = await admin.post(`${path}/resend`)
    assert.containSubset(again.body(), { data: { id: record.id, status: 'sent' } })
    assert.lengthOf(server.mailsTo(record.email), 1)
    assert.equal((await Broadcast.findOrFail(id)).failed, records.length)
  })

  test('counts recipients whom a push message reached as sent when it is cancelled', async ({
    assert,
    cleanup,
  }) => {
    const application = await anApplication()
    const email = uniqueEmail()
    const { id } = await aBroadcast(application, { audience: { kind: 'emails', emails: [email] } })
    const { id: notificationId } = await aNotification(email, { broadcastId: id, status: 'sent' })
    await BroadcastRecipient.query()
      .where('broadcastId', id)
      .update({ notification_id: notificationId, tries: 1, due_at: Date.now() + 60_000 })
    await cancelBroadcast(application.code, id)
    startBroadcastWorker(cleanup)
    const counted = await eventually('it is counted', async () => {
      const broadcast = await Broadcast.findOrFail(id)
      return broadcast.processed === 1 && broadcast
    })
    assert.deepEqual([counted.sent, counted.failed], [1, 0])
  })

  test('does not touch a message that is being handed over when it is cancelled', async ({
    assert,
    cleanup,
  }) => {
    const application = await anApplication()
    const [handedOver, lost] = uniqueEmails(2)
    const emails = [handedOver, lost]
    const { id } = await aBroadcast(application, { audience: { kind: 'emails', emails } })
    for (const [email, due] of [
      [handedOver, Date.now() + 60_000],
      [lost, 1],
    ] as const) {
      const fields = { broadcastId: id, status: 'failed' } as const
      const notification = await aNotification(email, fields)
      await BroadcastRecipient.query()
        .where({ broadcastId: id, email })
        .update({ notification_id: notification.id, claims: 1, due_at: due })
    }
    await cancelBroadcast(application.code, id)
    startBroadcastWorker(cleanup)
    await eventually('the lost one is counted', async () => {
      return (await Broadcast.findOrFail(id)).failed > 0
    })
    const open = await BroadcastRecipient.query().where('broadcastId', id).whereNull('status')
    assert.deepEqual(
      open.map(({ email }) => email),
      [handedOver]
    )
  })

  test('fails only for a recipient whom the server rejects permanently', async ({
    assert,
    cleanup,
  }) => {
    const server = await new TestSmtpServer().start()
    cleanup(() => server.stop())
    const [refused, taken] = uniqueEmails(2)
    server.react = (stage, address) => (stage === 'RCPT' && address === refused ? 550 : undefined)
    for (const email of [refused, taken]) await withOwnServer(email, server)
    const { id } = await aBroadcast(await anApplication(), {
      audience: { kind: 'emails', emails: [refused, taken] },
    })
    startBroadcastWorker(cleanup)
    const done = await waitForBroadcastStatus(id, 'completed')
    assert.deepEqual([done.sent, done.failed], [1, 1])
    const record = await Notification.findByOrFail('email', refused)
    assert.match(record.statusReason!, /^SMTP_ERROR: 550/)
  })
})
