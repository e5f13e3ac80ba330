import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import { secrets } from '#core/secrets'
import { composeMail } from '#app/delivery/mail/compose_mail'
import { channels } from '#app/delivery/channels'
import { literalSubject } from '#app/delivery/mail/literal_text'
import type { PendingContent } from '#app/delivery/values/pending_content'
import Brand from '#app/platform/models/brand'
import { Deadline } from '#core/values/deadline'
import { aBroadcast, reaching, working } from '#tests/helpers/broadcasts'
import { cpuMs } from '#tests/helpers/cpu'
import { internally, recordedFor, withOwnServer } from '#tests/helpers/deliveries'
import { anotherRound, pendingOf, sendDurably } from '#tests/helpers/pending_sends'
import { anApplication, superAdmin, uniqueEmail } from '#tests/helpers/people'
import { addressed, anOrganisation, hook, withSigningKey } from '#tests/helpers/provider_hook'
import { passwordReset } from '#tests/helpers/provider_samples'
import { aTemplate, aType, aVersion } from '#tests/helpers/templates'
import { smtp } from '#tests/world/prepare'
import { SmtpWorld } from '#tests/world/smtp_server'

const MOST = 998
const LIMIT = { field: 'subject', limit: MOST }
const REASON = /^RENDER_ERROR: .*998 characters/

/** Sends to one new person and returns the answer with what the log and the server have of it. */
async function send(client: ApiClient, appCode: string, fields: object) {
  const recipientEmail = uniqueEmail()
  const request = { recipientEmail, appCode, type: 'generic', ...fields }
  const response = await internally(client, '/bulk', { notifications: [request] })
  response.assertStatus(200)
  const [record] = await recordedFor(recipientEmail)
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
  test('as long as a line of a header arrives whole', async ({ client, assert }) => {
    const { code } = await anApplication()
    for (const letter of ['S', 'é', '=?']) {
      const subject = letter.repeat(MOST / letter.length)
      const { result, mails } = await send(client, code, { data: { subject, body: 'Hello' } })
      assert.equal(result.status, 'sent')
      assert.equal(mails[0].parsed.subject, subject)
    }
  })

  test('that is longer is not sent: {$self}')
    .with([MOST + 1, 6_000])
    .run(async ({ client, assert }, length) => {
      const { code } = await anApplication()
      const { result, record, mails } = await send(client, code, { data: subjectOf(length) })
      assert.equal(result.status, 'failed')
      assert.match(result.statusReason, REASON)
      assert.equal(record.subject, '')
      assert.isEmpty(mails)
    })

  test('of a million blanks and one word is one word', async ({ client, assert }) => {
    const { code } = await anApplication()
    const subject = `${' '.repeat(900_000)}word`
    const { result, mails } = await send(client, code, { data: { subject, body: 'Hello' } })
    assert.equal(result.status, 'sent')
    assert.equal(mails[0].parsed.subject, 'word')
  })

  test('that grows with the data is refused in previews and test sends', async ({
    client,
    assert,
  }) => {
    const { application, type, path } = await aGrowingTemplate()
    const data = { a: 'a'.repeat(400) }
    const preview = await superAdmin(client).post(`${path}/preview`, { data })
    preview.assertProblem(400, 'RENDERED_TOO_LARGE', LIMIT)
    const tried = await superAdmin(client).post(`${path}/test`, { data })
    tried.assertProblem(400, 'RENDERED_TOO_LARGE', LIMIT)
    const { result } = await send(client, application.code, { type: type.code, data })
    assert.match(result.statusReason, REASON)
  })

  test('of a broadcast that is too long fails for each recipient, once', async ({
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
    working(cleanup)
    const { failed } = await reaching(id, 'completed')
    assert.equal(failed, 2)
    const [record] = await recordedFor(emails[0])
    assert.match(record.statusReason!, REASON)
  })

  test('of the data of a broadcast that is too long is refused', async ({ client }) => {
    const { code } = await anApplication()
    const response = await superAdmin(client).post(`/api/admin/notifications/broadcast/${code}`, {
      type: 'generic',
      data: subjectOf(MOST + 1),
      audience: { kind: 'emails', emails: [uniqueEmail()] },
    })
    response.assertProblem(400, 'RENDERED_TOO_LARGE', LIMIT)
  })
})

test.group("A subject of the identity provider's", (group) => {
  withSigningKey(group)

  test('is cut, because the mail must arrive', async ({ assert, cleanup }) => {
    const { id, server } = await anOrganisation()
    cleanup(() => server.stop())
    const sample = passwordReset()
    const email = uniqueEmail()
    const message = addressed(
      {
        ...sample,
        contextInfo: { ...sample.contextInfo, eventType: 'user.of.another.kind' },
        templateData: { ...sample.templateData, subject: 'é'.repeat(50_000) },
      },
      id,
      email
    )
    const { status } = await hook(message)
    assert.equal(status, 'sent')
    const [mail] = server.mailsTo(email)
    assert.equal(mail.parsed.subject, 'é'.repeat(MOST))
  })
})

test.group('A long subject that was stored earlier', () => {
  test('ends the durable send without a mail', async ({ client, assert, cleanup }) => {
    const server = await new SmtpWorld().start()
    cleanup(() => server.stop())
    server.react = (stage) => (stage === 'RCPT' ? 451 : undefined)
    const email = uniqueEmail()
    await withOwnServer(email, server, { emailFrom: 'mail@acme.example' })
    const answer = await sendDurably(client, email)
    const pending = await pendingOf(answer.id)
    const content = secrets.decrypt(pending!.content, 'delivery.pending_send')
    const stored = { ...(JSON.parse(content!) as PendingContent), subject: 'S'.repeat(6_000) }
    await pending!
      .merge({ content: secrets.encrypt(JSON.stringify(stored), 'delivery.pending_send') })
      .save()
    server.react = () => undefined
    const { status, statusReason } = await anotherRound(answer)
    assert.equal(status, 'failed')
    assert.match(statusReason!, /^SMTP_ERROR: .*998 characters/)
    assert.isNull(await pendingOf(answer.id))
    assert.isEmpty(server.mails)
  })

  test('is not handed to the mailer, nor any other long text for a header', async ({ assert }) => {
    const long = 'S'.repeat(6_000)
    const brand = await Brand.default()
    const mail = {
      reference: 'notification.1.x',
      brand,
      type: { id: 1, system: false, userCanDisable: true, emailFromName: null as string | null },
      recipient: { id: 1, email: uniqueEmail(), calledName: 'Ada' },
      subject: 'Hello',
      html: '<p>Hello</p>',
      text: 'Hello',
    }
    assert.doesNotThrow(() => composeMail(mail))
    for (const wrong of [
      { ...mail, subject: long },
      { ...mail, type: { ...mail.type, emailFromName: long } },
      { ...mail, recipient: { ...mail.recipient, calledName: long } },
      { ...mail, messageDomain: `${long}.example` },
    ]) {
      assert.throws(() => composeMail(wrong), /998 characters/)
      const { status, attempts, mayPass } = await channels.email.deliver(wrong, new Deadline(5_000))
      assert.deepEqual(
        { status, attempts, mayPass },
        { status: 'failed', attempts: 0, mayPass: false }
      )
    }
    assert.isEmpty(smtp.mailsTo(mail.recipient.email))
  })
})

test.group('Whether a subject can be folded', () => {
  test('is found in one pass, whatever the words are', ({ assert }) => {
    const subject = `${'a'.repeat(899)} `.repeat(2_000)
    assert.isNull(literalSubject(subject))
    // 0.05 µs for each character; looking again from each place took 30 times that.
    assert.isBelow(
      cpuMs(() => literalSubject(subject)),
      subject.length / 20_000
    )
  })
})
