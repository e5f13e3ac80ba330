import { test } from '@japa/runner'
import { DateTime } from 'luxon'
import db from '@adonisjs/lucid/services/db'
import { usesPostgres } from '#core/database/dialect'
import { sendOne } from '#app/delivery/actions/send_one'
import User from '#app/profiles/models/user'
import ApplicationPreference from '#app/profiles/models/application_preference'
import NotificationPreference from '#app/notifications/models/notification_preference'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import { ensurePreference } from '#app/profiles/actions/ensure_preference'
import { recordStatements } from '#tests/helpers/count_statements'
import {
  aTemplate,
  aType,
  notificationRecordOf,
  notificationsOf,
  sendNotification,
} from '#tests/helpers/deliveries'
import { anApplication, signedIn, uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { MAIL_FROM, smtp } from '#tests/world/prepare'

const TEXT = { subject: 'Hello', body: 'Something happened' }

async function aTemplateToSend() {
  const application = await anApplication()
  const type = await aType(application)
  await aTemplate(type, { en: TEXT })
  const about = { appCode: application.code, type: type.code }
  return {
    sendTo: (recipientEmail: string) => sendOne({ recipientEmail, ...about }, { kind: 'platform' }),
  }
}

test.group('A single send', () => {
  test('looks up all that it needs to know with one statement', async ({ assert, client }) => {
    const application = await anApplication()
    const type = await aType(application)
    await aTemplate(type, { en: TEXT })
    const request = { recipientEmail: uniqueEmail(), appCode: application.code, type: type.code }
    // The first one creates the user, and reads what is remembered of types and templates.
    await sendNotification(client, request)
    const statements = await recordStatements(() => sendNotification(client, request))
    // PostgreSQL shows names, SQLite the SQL.
    const lookUp = /recipients_of_requests|as prefers_email/
    assert.lengthOf(
      statements.filter((statement) => lookUp.test(statement)),
      1
    )
    // The query builder quotes names.
    const others = /["`](users|brands|applications|notification_types|suppressions)["`]/
    assert.deepEqual(
      statements.filter((statement) => others.test(statement)),
      []
    )
  })

  test('shares the statement with others at the same time', async ({ assert }) => {
    const { sendTo } = await aTemplateToSend()
    const addresses = Array.from({ length: 5 }, () => uniqueEmail())
    const sendAll = () => Promise.all(addresses.map(sendTo))
    await sendAll()
    const statements = await recordStatements(sendAll)
    assert.lengthOf(
      statements.filter((one) => /recipients_of_requests|as prefers_email/.test(one)),
      1
    )
    for (const email of addresses) {
      const entries = await notificationsOf(email)
      assert.sameMembers(
        entries.map(({ status }) => status),
        ['sent', 'sent']
      )
    }
  })

  test('does not wait for the erasure of another recipient', async ({ assert }) => {
    // SQLite has one connection, which the erasure uses.
    if (!usesPostgres()) return
    const { sendTo } = await aTemplateToSend()
    const [erased, other] = [uniqueEmail(), uniqueEmail()]
    await Promise.all([sendTo(erased), sendTo(other)])
    const trx = await db.transaction()
    await User.query({ client: trx }).where({ email: erased }).forUpdate()
    const toErased = sendTo(erased)
    assert.equal((await sendTo(other)).status, 'sent')
    assert.lengthOf(await notificationsOf(erased), 1)
    await trx.rollback()
    assert.equal((await toErased).status, 'sent')
  })

  test('sees at once what becomes of its type and application', async ({ assert, client }) => {
    const application = await anApplication()
    const request = { recipientEmail: uniqueEmail(), appCode: application.code, type: 'offers' }
    const statusReason = async (data = TEXT) =>
      (await sendNotification(client, { ...request, data })).body().data.statusReason
    assert.equal(await statusReason(), 'UNKNOWN_TYPE')
    const type = await aType(application, { code: 'offers' })
    assert.isNull(await statusReason())
    await type.delete()
    assert.equal(await statusReason(), 'UNKNOWN_TYPE')
    await application.delete()
    const response = await sendNotification(client, { ...request, data: TEXT })
    response.assertStatus(404)
  })

  test('sends a mail to the user and records it', async ({ assert, client }) => {
    const application = await anApplication({ name: 'Shop' })
    const type = await aType(application)
    const template = await aTemplate(type, {
      en: { subject: 'Order {{order.number}}', body: '<p>Thank you, {{userName}}: {{item}}</p>' },
    })
    const email = uniqueEmail('ada')
    const data = { order: { number: 7 }, item: 'Books & more' }
    const response = await sendNotification(client, {
      recipientEmail: email.toUpperCase(),
      appCode: application.code,
      type: type.code,
      data,
    })
    response.assertStatus(200)
    const { id } = response.body().data
    response.assertBody({ success: true, data: { id, status: 'sent', statusReason: null } })

    const [mail] = smtp.mailsTo(email)
    assert.equal(mail.parsed.subject, 'Order 7')
    assert.include(String(mail.parsed.html), 'Books &amp; more')
    assert.include(mail.parsed.text, 'Books & more')
    assert.equal(mail.from, MAIL_FROM)
    assert.deepEqual(mail.parsed.from?.value, [{ address: MAIL_FROM, name: 'The Platform' }])
    const { notification, deliveries } = await notificationRecordOf(id)
    assert.containSubset(notification.serialize(), {
      email,
      appCode: application.code,
      appName: 'Shop',
      type: type.code,
      templateKey: template.key,
      locale: 'en',
      subject: 'Order 7',
      status: 'sent',
      statusReason: null,
      payload: data,
      inInbox: true,
      readAt: null,
    })
    assert.deepEqual(deliveries, [
      {
        channel: 'email',
        status: 'sent',
        attempts: 1,
        error: null,
        providerMessageId: mail.parsed.messageId!,
      },
    ])
    assert.isBelow(Math.abs(notification.createdAt.diff(DateTime.utc()).as('seconds')), 30)
  })

  test('creates a user record for an unknown user', async ({ assert, client }) => {
    const application = await anApplication()
    const email = uniqueEmail()
    const body = { recipientEmail: email, appCode: application.code, type: 'generic', data: TEXT }
    const response = await sendNotification(client, body)
    assert.equal(response.body().data.status, 'sent')
    assert.isTrue((await User.withEmail(email)).active)
  })

  test('skips and records an unknown type, without creating a user record', async ({
    assert,
    client,
  }) => {
    const application = await anApplication()
    const email = uniqueEmail()
    const response = await sendNotification(client, {
      recipientEmail: email,
      appCode: application.code,
      type: 'no such type!',
    })
    response.assertStatus(200)
    const { id, ...rest } = response.body().data
    assert.deepEqual(rest, { status: 'skipped', statusReason: 'UNKNOWN_TYPE' })
    const { notification, deliveries } = await notificationRecordOf(id)
    assert.equal(notification.type, 'no such type!')
    assert.isFalse(notification.inInbox)
    assert.isEmpty(deliveries)
    assert.isNull(await User.findBy({ email }))
  })

  test('returns 404 for an unknown application and records nothing', async ({ assert, client }) => {
    const email = uniqueEmail()
    const response = await sendNotification(client, {
      recipientEmail: email,
      appCode: uniqueCode(),
      type: 'generic',
    })
    response.assertProblem(404, 'APPLICATION_NOT_FOUND')
    assert.isEmpty(await notificationsOf(email))
  })

  test('skips users who switched the application off, except for system types', async ({
    assert,
    client,
  }) => {
    const application = await anApplication()
    const system = await aType(application, { system: true })
    const user = await ensureUser({ email: uniqueEmail() })
    await ensurePreference({ userId: user.id, applicationId: application.id })
    await ApplicationPreference.query().where('userId', user.id).update({
      notifications_enabled: false,
    })
    const send = async (type: string) => {
      const body = { recipientEmail: user.email, appCode: application.code, type, data: TEXT }
      return (await sendNotification(client, body)).body().data
    }
    const skipped = await send('generic')
    assert.containSubset(skipped, { status: 'skipped', statusReason: 'NOTIFICATIONS_DISABLED' })
    assert.isEmpty(smtp.mailsTo(user.email))
    const { notification } = await notificationRecordOf(skipped.id)
    assert.containSubset(notification, { status: 'skipped', subject: 'Hello', inInbox: false })

    const sent = await send(system.code)
    assert.equal(sent.status, 'sent')
    assert.lengthOf(smtp.mailsTo(user.email), 1)
    assert.isFalse((await notificationRecordOf(sent.id)).notification.inInbox)
  })

  test('skips users without an enabled channel', async ({ assert, client }) => {
    const application = await anApplication()
    const type = await aType(application)
    const user = await ensureUser({ email: uniqueEmail() })
    await NotificationPreference.create({
      userId: user.id,
      notificationTypeId: type.id,
      email: false,
      push: true,
    })
    const body = {
      recipientEmail: user.email,
      appCode: application.code,
      type: type.code,
      data: TEXT,
    }
    const { data } = (await sendNotification(client, body)).body()
    assert.containSubset(data, { status: 'skipped', statusReason: 'NO_CHANNEL' })
    assert.isEmpty((await notificationRecordOf(data.id)).deliveries)
    assert.isEmpty(smtp.mailsTo(user.email))
  })

  test('skips deactivated users', async ({ assert, client }) => {
    const application = await anApplication()
    const user = await ensureUser({ email: uniqueEmail() })
    await user.merge({ active: false }).save()
    const body = {
      recipientEmail: user.email,
      appCode: application.code,
      type: 'generic',
      data: TEXT,
    }
    const { data } = (await sendNotification(client, body)).body()
    assert.equal(data.status, 'skipped')
    assert.match(data.statusReason, /^NOTIFICATIONS_DISABLED: /)
    assert.isEmpty(smtp.mailsTo(user.email))
    await user.merge({ active: true }).save()
    const inbox = '/api/profile/me/notifications/inbox'
    const items = await signedIn(client, user.email).get(inbox)
    assert.isEmpty(items.body().response)
    const unread = await signedIn(client, user.email).get(`${inbox}/unread-count`)
    assert.deepEqual(unread.body().response, { count: 0 })
  })

  test('fails if there is nothing to render', async ({ assert, client }) => {
    const application = await anApplication()
    const email = uniqueEmail()
    for (const data of [
      undefined,
      {},
      { subject: 'Only' },
      { subject: 1, body: 'x' },
      { subject: '', body: '' },
      { subject: 'Only', body: ' \n' },
      { subject: '\u200b', body: '\u2060' },
    ]) {
      const body = { recipientEmail: email, appCode: application.code, type: 'generic', data }
      const { data: result } = (await sendNotification(client, body)).body()
      assert.containSubset(result, { status: 'failed', statusReason: 'NO_TEMPLATE' })
      assert.isEmpty((await notificationRecordOf(result.id)).deliveries)
    }
    assert.isEmpty(smtp.mailsTo(email))
  })

  test('uses the requested language, else that of the profile, else English', async ({
    assert,
    client,
  }) => {
    const application = await anApplication()
    const type = await aType(application)
    await aTemplate(type, {
      en: { subject: 'Hello', body: 'x' },
      cs: { subject: 'Ahoj', body: 'x' },
    })
    const czech = await ensureUser({ email: uniqueEmail() })
    await czech.merge({ locale: 'cs' }).save()
    const subjectFor = async (recipientEmail: string, locale?: string) => {
      const body = { recipientEmail, appCode: application.code, type: type.code, locale }
      const { id } = (await sendNotification(client, body)).body().data
      const { notification } = await notificationRecordOf(id)
      return `${notification.locale}: ${notification.subject}`
    }
    assert.equal(await subjectFor(czech.email), 'cs: Ahoj')
    assert.equal(await subjectFor(czech.email, 'en-US'), 'en: Hello')
    assert.equal(await subjectFor(uniqueEmail()), 'en: Hello')
    assert.equal(await subjectFor(uniqueEmail(), 'fr'), 'en: Hello')
  })

  test('records the registered language that the locale names, whatever the outcome', async ({
    assert,
    client,
  }) => {
    const application = await anApplication()
    const type = await aType(application)
    const later = DateTime.utc().plus({ hours: 1 }).toISO()
    for (const fields of [
      { type: type.code, data: TEXT },
      { type: type.code },
      { type: uniqueCode() },
      { type: type.code, data: TEXT, sendAt: later },
    ]) {
      const body = { recipientEmail: uniqueEmail(), appCode: application.code, ...fields }
      for (const locale of ['cs-CZ', 'CS']) {
        const { id } = (await sendNotification(client, { ...body, locale })).body().data
        const { notification } = await notificationRecordOf(id)
        assert.equal(notification.locale, 'cs')
      }
    }
  })

  test('lists missing templates or variables and sends nothing', async ({ assert, client }) => {
    const application = await anApplication()
    const type = await aType(application)
    const first = await aTemplate(
      type,
      { en: { subject: 'x', body: 'x' } },
      { variables: [{ key: 'code', required: true }] }
    )
    const body = { recipientEmail: uniqueEmail(), appCode: application.code, type: type.code }
    for (const data of [undefined, {}, { code: null }, { code: '' }]) {
      const response = await sendNotification(client, { ...body, data })
      response.assertProblem(400, 'MISSING_TEMPLATE_VARIABLES', { missing: ['code'] })
    }
    const second = await aTemplate(type, { en: { subject: 'x', body: 'x' } })
    const required = await sendNotification(client, { ...body, data: { code: '1' } })
    required.assertProblem(400, 'TEMPLATE_REQUIRED')
    const unknown = await sendNotification(client, { ...body, template: 'nope' })
    unknown.assertProblem(400, 'UNKNOWN_TEMPLATE', { available: [first.key, second.key] })
    assert.isEmpty(await notificationsOf(body.recipientEmail))
    const named = await sendNotification(client, { ...body, template: second.key })
    assert.equal(named.body().data.status, 'sent')
  })

  test('requires the internal key', async ({ client }) => {
    const response = await client.post('/api/internal/notifications').json({})
    response.assertProblem(401, 'UNAUTHENTICATED')
  })

  for (const [title, fields] of Object.entries({
    'two addresses': { recipientEmail: 'a@x.example,b@x.example' },
    'a comma in the address': { recipientEmail: '"a,b"@x.example' },
    'a line break in the address': { recipientEmail: 'a@x.example\r\nBcc: b@x.example' },
    'an address with a name': { recipientEmail: 'Ada <ada@x.example>' },
    'a list of addresses': { recipientEmail: ['a@x.example'] },
    'no type': { type: undefined },
    'a type that is not a string': { type: 5 },
    'data that is a list': { data: [1] },
    'data that is a string': { data: 'text' },
    'data of too many values': { data: { rows: Array.from({ length: 10_000 }, () => ({ a: 1 })) } },
    'an invalid locale': { locale: 'en/../cs' },
    'a template that is not a string': { template: {} },
  })) {
    test(`rejects ${title}`, async ({ client }) => {
      const application = await anApplication()
      const valid = { recipientEmail: uniqueEmail(), appCode: application.code, type: 'generic' }
      const response = await sendNotification(client, { ...valid, data: TEXT, ...fields })
      response.assertProblem(400, 'VALIDATION_ERROR')
    })
  }
})

test.group('Values in mails', () => {
  const NASTY = 'x\r\nBcc: thief@evil.example\r\n\r\n<script>alert(1)</script>{{userEmail}}'

  test('cannot add headers, markup or placeholders', async ({ assert, client }) => {
    const application = await anApplication({ name: NASTY.slice(0, 60) })
    const type = await aType(application, { emailFromName: NASTY })
    await aTemplate(type, { en: { subject: '{{appName}} {{v}}', body: '<p>{{v}}</p>' } })
    const user = await ensureUser({ email: uniqueEmail() })
    await user.merge({ displayName: NASTY }).save()
    const body = { recipientEmail: user.email, appCode: application.code, type: type.code }
    const response = await sendNotification(client, { ...body, data: { v: NASTY } })
    assert.equal(response.body().data.status, 'sent')
    const [mail] = smtp.mailsTo(user.email)
    assert.deepEqual(mail.to, [user.email])
    assert.isFalse(mail.parsed.headers.has('bcc'))
    assert.notMatch(mail.parsed.subject!, /[\r\n]/)
    assert.include(mail.parsed.subject!, '{{userEmail}}')
    assert.notInclude(String(mail.parsed.html), '<script>')
    assert.isEmpty(smtp.mailsTo('thief@evil.example'))
  })

  test('can be of any JSON type, and numerous', async ({ assert, client }) => {
    const application = await anApplication()
    const type = await aType(application)
    await aTemplate(type, {
      en: { subject: '{{n}}', body: '{{b}}|{{nothing}}|{{list}}|{{o}}|{{k9899}}' },
    })
    const email = uniqueEmail()
    const many = Object.fromEntries(Array.from({ length: 9_900 }, (_, i) => [`k${i}`, i]))
    const data = { n: 1.5, b: false, nothing: null, list: [1, { a: 2 }], o: { x: 1 }, ...many }
    const body = { recipientEmail: email, appCode: application.code, type: type.code, data }
    const response = await sendNotification(client, body)
    assert.equal(response.body().data.status, 'sent')
    assert.equal(smtp.mailsTo(email)[0].parsed.subject, '1.5')
    const { notification } = await notificationRecordOf(response.body().data.id)
    assert.deepEqual(notification.payload, data)
  })

  test('cannot reach a prototype', async ({ assert, client }) => {
    const application = await anApplication()
    const email = uniqueEmail()
    const body = `{"recipientEmail":"${email}","appCode":"${application.code}","type":"generic",
      "data":{"subject":"s","body":"b","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}`
    const response = await sendNotification(client, JSON.parse(body))
    assert.equal(response.body().data.status, 'sent')
    assert.isUndefined(Reflect.get({}, 'polluted'))
  })
})
