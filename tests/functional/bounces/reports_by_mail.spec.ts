import { createTransport } from 'nodemailer'
import { DateTime } from 'luxon'
import { test } from '@japa/runner'
import { toDatabaseTimestamp } from '#core/database/columns'
import { ReportServer } from '#app/bounces/smtp/report_server'
import { bounceAddressOf } from '#app/delivery/mail/signed_bounce_address'
import Delivery from '#app/delivery/models/delivery'
import { notificationReference } from '#app/delivery/values/notification_reference'
import Notification from '#app/notifications/models/notification'
import MailBounce from '#app/suppressions/models/mail_bounce'
import Suppression from '#app/suppressions/models/suppression'
import mailConfig from '#config/mail'
import { aMessage } from '#tests/helpers/application_keys'
import { sendNotification, withOwnServer } from '#tests/helpers/deliveries'
import {
  complaint,
  listReport,
  postfixReport,
  progressReport,
} from '#tests/helpers/delivery_reports'
import { eraseUser } from '#app/identity_provider/user_lifecycle/erase_user'
import { anApplication, uniqueEmail } from '#tests/helpers/people'
import {
  anOrganisation,
  logEntriesOf,
  postProviderMessage,
  withRecipient,
  withSigningKey,
} from '#tests/helpers/provider_hook'
import { type Sample, loginCode, passwordReset } from '#tests/helpers/provider_samples'
import { runNextRound, sendDurably } from '#tests/helpers/pending_sends'
import { SUPER_ADMIN, smtp } from '#tests/world/prepare'
import { TestSmtpServer } from '#tests/world/smtp_server'

const ADDRESS = { local: 'bounces', domain: 'acme.example' }

test.group('Reports by mail', (group) => {
  const server = new ReportServer()
  let port: number

  withSigningKey(group)
  group.setup(async () => {
    mailConfig.bounceAddress = ADDRESS
    port = await server.listen(0, '127.0.0.1')
    return async () => {
      mailConfig.bounceAddress = null
      await server.close()
    }
  })

  async function deliver(to: string, raw: Buffer) {
    const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true })
    try {
      await transport.sendMail({ envelope: { from: '', to: [to] }, raw })
      return 250
    } catch (error) {
      return (error as { responseCode?: number }).responseCode ?? null
    } finally {
      transport.close()
    }
  }

  /** Sends a notification and returns the address that reports about it come to. */
  async function send(client: Parameters<typeof sendNotification>[0], email = uniqueEmail()) {
    const { code } = await anApplication()
    const sent = await sendNotification(client, aMessage(code, email))
    const [mail] = smtp.mailsTo(email)
    return { email, id: sent.body().data.id as number, sender: mail.from, mail, code }
  }

  /** Changes when a notification was created, and returns what its address would be then. */
  async function created(id: number, age: object, fields: Partial<Notification> = {}) {
    const createdAt = DateTime.utc().minus(age)
    const notification = await Notification.findOrFail(id)
    const { email } = await notification.merge({ ...fields, createdAt }).save()
    return bounceAddressOf(notificationReference(id, toDatabaseTimestamp(createdAt), email))!
  }

  test('a mail has its own envelope sender, and a report to it suppresses the address', async ({
    client,
    assert,
  }) => {
    const { email, id, sender, mail, code } = await send(client)
    assert.match(sender, /^bounces\+[0-9a-z]{1,7}-[0-9a-f]{30}@acme\.example$/)
    assert.isAtMost(sender.indexOf('@'), 64)
    assert.equal(mail.parsed.from!.value[0].address, mailConfig.from)
    assert.equal(await deliver(sender.toUpperCase(), postfixReport(email)), 250)
    const { status, statusReason } = await Notification.findOrFail(id)
    assert.equal(status, 'failed')
    assert.match(statusReason!, /^BOUNCED: 550 5\.1\.1 /)
    const { reason, notificationId } = await Suppression.findByOrFail({ email })
    assert.deepEqual([reason, notificationId], ['hard_bounce', id])
    const next = await sendNotification(client, aMessage(code, email))
    assert.equal(next.body().data.statusReason, 'RECIPIENT_SUPPRESSED')
  })

  test('a complaint suppresses the address', async ({ client, assert }) => {
    const { email, sender } = await send(client)
    assert.equal(await deliver(sender, complaint()), 250)
    assert.equal((await Suppression.findByOrFail({ email })).reason, 'complaint')
  })

  test('five mails that come back for a while suppress the address', async ({ client, assert }) => {
    const email = uniqueEmail()
    for (let mail = 1; mail <= 5; mail++) {
      assert.isNull(await Suppression.findBy({ email }))
      const { id } = await send(client, email)
      const sender = smtp.mailsTo(email).at(-1)!.from
      for (let repeat = 0; repeat < 2; repeat++) {
        await deliver(sender, postfixReport(email, '4.2.2', '452 4.2.2'))
      }
      assert.equal((await Notification.findOrFail(id)).status, 'failed')
    }
    assert.equal((await Suppression.findByOrFail({ email })).reason, 'soft_bounces')
  })

  test('a forged, foreign or old address changes nothing', async ({ client, assert }) => {
    const [one, other] = [await send(client), await send(client)]
    const [digit] = one.sender.slice(-14)
    const forged = one.sender.replace(/.@/, `${digit === '0' ? '1' : '0'}@`)
    const swapped = one.sender.replace(/\+[^-]+/, `+${other.id.toString(36)}`)
    for (const sender of [forged, swapped, 'bounces@acme.example', 'ada@acme.example']) {
      assert.equal(await deliver(sender, postfixReport(one.email)), 550, sender)
    }
    // A report about someone else, at the address of one's own.
    assert.equal(await deliver(one.sender, postfixReport(other.email)), 250)
    const both = listReport({ [other.email]: '5.1.1', 'nobody@acme.example': '5.1.1' })
    assert.equal(await deliver(one.sender, both), 250)
    assert.equal(await deliver(one.sender, progressReport(one.email, 'delayed')), 250)
    assert.equal(await deliver(one.sender, Buffer.from('Subject: I am on holiday\r\n\r\nBye')), 250)
    const old = await created(other.id, { days: 31 })
    assert.equal(await deliver(old, postfixReport(other.email)), 250)
    for (const email of [one.email, other.email]) {
      assert.isNull(await Suppression.findBy({ email }))
      assert.isNull(await MailBounce.findBy({ email }))
    }
  })

  test('a report that arrives before the delivery is recorded has to come again', async ({
    client,
    assert,
  }) => {
    const { email, id, sender } = await send(client)
    await Delivery.query().where('notificationId', id).delete()
    assert.equal(await deliver(sender, postfixReport(email)), 451)
    const scheduledFor = DateTime.utc()
    const scheduled = await created(id, { days: 40 }, { scheduledFor })
    assert.equal(await deliver(scheduled, postfixReport(email)), 451)
    assert.isNull(await Suppression.findBy({ email }))
  })

  test('a message that was scheduled is as old as its delivery', async ({ client, assert }) => {
    const { email, id } = await send(client)
    const scheduledFor = DateTime.utc().minus({ days: 1 })
    const sender = await created(id, { days: 40 }, { scheduledFor })
    assert.equal(await deliver(sender, postfixReport(email)), 250)
    assert.equal((await Suppression.findByOrFail({ email })).reason, 'hard_bounce')
  })

  test('a report about a durable send has to come again until that has ended', async ({
    client,
    assert,
    cleanup,
  }) => {
    const email = uniqueEmail()
    cleanup(async () => void (smtp.react = () => undefined))
    smtp.react = (stage) => (stage === 'RCPT' ? 451 : undefined)
    const sent = await sendDurably(client, email)
    smtp.react = () => undefined
    const sender = await created(sent.id, { hours: 1 })
    assert.equal(await deliver(sender, postfixReport(email)), 451)
    assert.equal((await runNextRound(sent)).status, 'sent')
    assert.equal(await deliver(sender, postfixReport(email)), 250)
    const { status, statusReason } = await Notification.findOrFail(sent.id)
    assert.equal(status, 'failed')
    assert.match(statusReason!, /^BOUNCED: /)
  })

  test('a report about a mail of the identity provider suppresses the address, but not such mails', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { id, server: unused } = await anOrganisation({ smtp: null })
    cleanup(() => unused.stop())
    const email = uniqueEmail()
    const post = (message: Sample) => postProviderMessage(withRecipient(message, id, email))
    assert.containSubset(await post(passwordReset()), { code: 200, status: 'sent' })
    const [{ from }] = smtp.mailsTo(email)
    assert.match(from, /^bounces\+[0-9a-z]{1,7}-[0-9a-f]{30}@acme\.example$/)
    assert.equal(await deliver(from, postfixReport(email)), 250)
    assert.equal((await Suppression.findByOrFail({ email })).reason, 'hard_bounce')
    const [bounced] = await logEntriesOf(email)
    assert.deepEqual([bounced.status, bounced.statusReason], ['failed', 'BOUNCED: 550 5.1.1'])

    const { code } = await anApplication()
    const sent = await sendNotification(client, aMessage(code, email))
    assert.equal(sent.body().data.statusReason, 'RECIPIENT_SUPPRESSED')
    assert.containSubset(await post(loginCode()), { code: 200, status: 'sent' })
    assert.lengthOf(smtp.mailsTo(email), 2)
  })

  test('a report about an erased user changes nothing', async ({ client, assert }) => {
    const { email, id, sender } = await send(client)
    await eraseUser(email, SUPER_ADMIN)
    assert.equal(await deliver(sender, postfixReport(email)), 250)
    assert.isNull(await Suppression.findBy({ email }))
    assert.equal((await Notification.findOrFail(id)).status, 'sent')
  })

  test("a brand's own account sends with its own address", async ({ client, assert, cleanup }) => {
    const own = await new TestSmtpServer().start()
    cleanup(() => own.stop())
    const email = uniqueEmail()
    await withOwnServer(email, own)
    await sendNotification(client, aMessage((await anApplication()).code, email))
    assert.notInclude(own.mailsTo(email)[0].from, '+')
  })
})

test.group('Refused recipients', (group) => {
  group.each.teardown(() => {
    smtp.react = () => undefined
    smtp.refusal = undefined
  })

  for (const [stage, reply, code, reason] of [
    ['RCPT', '5.1.1 No such user', 550, 'hard_bounce'],
    ['RCPT', '5.7.1 Relay access denied', 550, null],
    ['RCPT', '5.2.2 Mailbox full', 552, null],
    ['DATA', '5.1.1 No such user', 550, null],
    ['MAIL', '5.1.8 Sender address rejected', 550, null],
  ] as const) {
    test(`${stage}: ${code} ${reply} gives ${reason ?? 'no suppression'}`, async ({
      client,
      assert,
    }) => {
      const { code: appCode } = await anApplication()
      const email = uniqueEmail()
      smtp.refusal = reply
      smtp.react = (at) => (at === stage ? code : undefined)
      const sent = await sendNotification(client, aMessage(appCode, email))
      assert.equal(sent.body().data.status, 'failed')
      assert.equal((await Suppression.findBy({ email }))?.reason ?? null, reason)
      const soft = await MailBounce.findBy({ email, kind: 'soft' })
      assert.equal(soft !== null, code === 552)
    })
  }
})
