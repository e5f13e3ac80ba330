import { test } from '@japa/runner'
import BroadcastRecipient from '#app/broadcasts/models/broadcast_recipient'
import Delivery from '#app/delivery/models/delivery'
import Notification from '#app/notifications/models/notification'
import {
  aBroadcast,
  waitForBroadcastStatus,
  uniqueEmails,
  startBroadcastWorker,
} from '#tests/helpers/broadcasts'
import { withOwnServer } from '#tests/helpers/deliveries'
import { eventually } from '#tests/helpers/eventually'
import { anApplication } from '#tests/helpers/people'
import { TestSmtpServer } from '#tests/world/smtp_server'

test.group('A broadcast whose mail server', () => {
  test('is down waits and reaches everyone when it is back', async ({ assert, cleanup }) => {
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

  test('rejects a recipient permanently fails only for that recipient', async ({
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
