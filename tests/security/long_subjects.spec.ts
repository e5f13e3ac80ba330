import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import { secrets } from '#core/secrets'
import { composeMail } from '#app/delivery/mail/compose_mail'
import { channels } from '#app/delivery/channels'
import { literalSubject } from '#app/delivery/mail/literal_text'
import type { PendingContent } from '#app/delivery/values/pending_content'
import Brand from '#app/platform/models/brand'
import { Deadline } from '#core/values/deadline'
import { aBroadcast, waitForBroadcastStatus, startBroadcastWorker } from '#tests/helpers/broadcasts'
import { cpuMs } from '#tests/helpers/cpu'
import { postInternalNotification, notificationsOf, withOwnServer } from '#tests/helpers/deliveries'
import { runNextRound, findPendingSend, sendDurably } from '#tests/helpers/pending_sends'
import { anApplication, superAdmin, uniqueEmail } from '#tests/helpers/people'
import {
  withRecipient,
  anOrganisation,
  postProviderMessage,
  withSigningKey,
} from '#tests/helpers/provider_hook'
import { passwordReset } from '#tests/helpers/provider_samples'
import { aTemplate, aType, aVersion } from '#tests/helpers/templates'
import { smtp } from '#tests/world/prepare'
import { TestSmtpServer } from '#tests/world/smtp_server'

const MAX_LENGTH = 998
const LIMIT = { field: 'subject', limit: MAX_LENGTH }
const REASON = /^RENDER_ERROR: .*998 characters/

/** Sends to a new user. Returns the result, the log entry and the mails. */
async function send(client: ApiClient, appCode: string, fields: object) {
  const recipientEmail = uniqueEmail()
  const request = { recipientEmail, appCode, type: 'generic', ...fields }
  const response = await postInternalNotification(client, '/bulk', { notifications: [request] })
  response.assertStatus(200)
  const [record] = await notificationsOf(recipientEmail)
  return { result: response.body().data[0], record, mails: smtp.mailsTo(recipientEmail) }
}

const subjectOf = (length: number) => ({ subject: 'S'.repeat(length), body: 'Hello' })

/** A template whose subject grows with the data. */
async function aGrowingTemplate() {
  const application = await anApplication()
  const type = await aType(application)
  const template = await aTemplate(application, type)
  await aVersion(template, 'en', { subjectTemplate: '{{a}}'.repeat(3), bodyTemplate: '<p>x</p>' })
  const path = `/api/admin/notifications/templates/${template.id}/locales/en`
  return { application, type, template, path }
}

test.group('A subject', () => {
  test('as long as a header line arrives completely', async ({ client, assert }) => {
    const { code } = await anApplication()
    for (const letter of ['S', 'é', '=?']) {
      const subject = letter.repeat(MAX_LENGTH / letter.length)
      const { result, mails } = await send(client, code, { data: { subject, body: 'Hello' } })
      assert.equal(result.status, 'sent')
      assert.equal(mails[0].parsed.subject, subject)
    }
  })

  test('that is longer is not sent: {$self}')
    .with([MAX_LENGTH + 1, 6_000])
    .run(async ({ client, assert }, length) => {
      const { code } = await anApplication()
      const { result, record, mails } = await send(client, code, { data: subjectOf(length) })
      assert.equal(result.status, 'failed')
      assert.match(result.statusReason, REASON)
      assert.equal(record.subject, '')
      assert.isEmpty(mails)
    })

  test('of many spaces and one word becomes that word', async ({ client, assert }) => {
    const { code } = await anApplication()
    const subject = `${' '.repeat(900_000)}word`
    const { result, mails } = await send(client, code, { data: { subject, body: 'Hello' } })
    assert.equal(result.status, 'sent')
    assert.equal(mails[0].parsed.subject, 'word')
  })

  test('that is too long with the data is refused in previews and test sends', async ({
    client,
    assert,
  }) => {
    const { application, type, path } = await aGrowingTemplate()
    const data = { a: 'a'.repeat(400) }
    const preview = await superAdmin(client).post(`${path}/preview`, { data })
    preview.assertProblem(400, 'RENDERED_TOO_LARGE', LIMIT)
    const tested = await superAdmin(client).post(`${path}/test`, { data })
    tested.assertProblem(400, 'RENDERED_TOO_LARGE', LIMIT)
    const { result } = await send(client, application.code, { type: type.code, data })
    assert.match(result.statusReason, REASON)
  })

  test('of a broadcast that is too long fails once for each recipient', async ({
    assert,
    cleanup,
  }) => {
    const { application, type } = await aGrowingTemplate()
    const emails = [uniqueEmail(), uniqueEmail()]
    const { id } = await aBroadcast(application, {
      type: type.code,
      data: { a: 'a'.repeat(2_000) },
      audience: { kind: 'emails', emails },
    })
    startBroadcastWorker(cleanup)
    const { failed } = await waitForBroadcastStatus(id, 'completed')
    assert.equal(failed, 2)
    const [record] = await notificationsOf(emails[0])
    assert.match(record.statusReason!, REASON)
  })

  test('that is too long in the data of a broadcast is refused', async ({ client }) => {
    const { code } = await anApplication()
    const response = await superAdmin(client).post(`/api/admin/notifications/broadcast/${code}`, {
      type: 'generic',
      data: subjectOf(MAX_LENGTH + 1),
      audience: { kind: 'emails', emails: [uniqueEmail()] },
    })
    response.assertProblem(400, 'RENDERED_TOO_LARGE', LIMIT)
  })
})

test.group('A subject of the identity provider', (group) => {
  withSigningKey(group)

  test('is cut, so that the mail arrives', async ({ assert, cleanup }) => {
    const { id, server } = await anOrganisation()
    cleanup(() => server.stop())
    const sample = passwordReset()
    const email = uniqueEmail()
    const message = withRecipient(
      {
        ...sample,
        contextInfo: { ...sample.contextInfo, eventType: 'user.of.another.kind' },
        templateData: { ...sample.templateData, subject: 'é'.repeat(50_000) },
      },
      id,
      email
    )
    const { status } = await postProviderMessage(message)
    assert.equal(status, 'sent')
    const [mail] = server.mailsTo(email)
    assert.equal(mail.parsed.subject, 'é'.repeat(MAX_LENGTH))
  })
})

test.group('A long subject that was stored earlier', () => {
  test('ends the durable send without a mail', async ({ client, assert, cleanup }) => {
    const server = await new TestSmtpServer().start()
    cleanup(() => server.stop())
    server.react = (stage) => (stage === 'RCPT' ? 451 : undefined)
    const email = uniqueEmail()
    await withOwnServer(email, server, { emailFrom: 'mail@acme.example' })
    const response = await sendDurably(client, email)
    const pending = await findPendingSend(response.id)
    const content = secrets.decrypt(pending!.content, 'delivery.pending_send')
    const stored = { ...(JSON.parse(content!) as PendingContent), subject: 'S'.repeat(6_000) }
    await pending!
      .merge({ content: secrets.encrypt(JSON.stringify(stored), 'delivery.pending_send') })
      .save()
    server.react = () => undefined
    const { status, statusReason } = await runNextRound(response)
    assert.equal(status, 'failed')
    assert.match(statusReason!, /^SMTP_ERROR: .*998 characters/)
    assert.isNull(await findPendingSend(response.id))
    assert.isEmpty(server.mails)
  })

  test('is not passed to nodemailer, nor is any other long header text', async ({ assert }) => {
    const long = 'S'.repeat(6_000)
    const brand = await Brand.default()
    const mail = {
      reference: 'notification.1.x',
      brand,
      type: {
        id: 1,
        code: 'news',
        system: false,
        userCanDisable: true,
        selfServiceEnabled: true,
        emailFromName: null as string | null,
      },
      recipient: { id: 1, email: uniqueEmail(), nameInMessages: 'Ada' },
      subject: 'Hello',
      html: '<p>Hello</p>',
      text: 'Hello',
    }
    assert.doesNotThrow(() => composeMail(mail))
    for (const unusable of [
      { ...mail, subject: long },
      { ...mail, type: { ...mail.type, emailFromName: long } },
      { ...mail, recipient: { ...mail.recipient, nameInMessages: long } },
      { ...mail, messageDomain: `${long}.example` },
    ]) {
      assert.throws(() => composeMail(unusable), /998 characters/)
      const { status, attempts, isTemporary } = await channels.email.deliver(
        unusable,
        new Deadline(5_000)
      )
      assert.deepEqual(
        { status, attempts, isTemporary },
        { status: 'failed', attempts: [], isTemporary: false }
      )
    }
    assert.isEmpty(smtp.mailsTo(mail.recipient.email))
  })
})

test.group('The check whether a subject can be folded', () => {
  test('takes linear time for all words', ({ assert }) => {
    const subject = `${'a'.repeat(899)} `.repeat(2_000)
    assert.isNull(literalSubject(subject))
    // 0.05 µs per character; a search from every position took 30 times as long.
    assert.isBelow(
      cpuMs(() => literalSubject(subject)),
      subject.length / 20_000
    )
  })
})
