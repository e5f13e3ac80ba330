import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import { DateTime } from 'luxon'
import type Notification from '#app/notifications/models/notification'
import { notificationReference } from '#app/delivery/values/notification_reference'
import { toDatabaseTimestamp } from '#core/database/columns'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import { aBroadcast } from '#tests/helpers/broadcasts'
import {
  aTemplate,
  aType,
  notificationRecordOf,
  sendNotification,
  withOwnServer,
} from '#tests/helpers/deliveries'
import { aNotification } from '#tests/helpers/inbox'
import {
  anAdministratorOf,
  anApplication,
  anOldApplication,
  signedIn,
  superAdmin,
  uniqueCode,
  uniqueEmail,
} from '#tests/helpers/people'
import { sendDurably } from '#tests/helpers/pending_sends'
import { TestSmtpServer } from '#tests/world/smtp_server'

const TEXT = { subject: 'Hello', body: 'Something happened' }
const pathOf = (appCode: string, id: number) =>
  `/api/admin/notifications/log/${appCode}/${id}/resend`

type Cleanup = (callback: () => Promise<void>) => void

async function aFailedSend(client: ApiClient, cleanup: Cleanup) {
  const application = await anApplication()
  const email = uniqueEmail()
  const server = await new TestSmtpServer().start()
  cleanup(() => server.stop())
  await withOwnServer(email, server)
  server.react = () => 550
  const request = { recipientEmail: email, appCode: application.code, type: 'generic', data: TEXT }
  const response = await sendNotification(client, request)
  const { id, status } = response.body().data
  if (status !== 'failed') throw new Error('The send did not fail')
  return { application, email, server, id: id as number }
}

/** A failed entry that nothing is sending. */
function aFailedEntry(appCode: string, fields: Partial<Notification> = {}) {
  const createdAt = DateTime.utc().minus({ minutes: 5 })
  return aNotification(fields.email ?? uniqueEmail(), {
    appCode,
    type: 'generic',
    status: 'failed',
    payload: TEXT,
    createdAt,
    ...fields,
  })
}

test.group('Sending a notification again', () => {
  test('keeps its id, its Message-ID and its inbox item', async ({ assert, client, cleanup }) => {
    const { application, email, server, id } = await aFailedSend(client, cleanup)
    const admin = signedIn(client, await anAdministratorOf(application))
    const again = await admin.post(pathOf(application.code, id))
    again.assertStatus(200)
    assert.containSubset(again.body().data, { id, status: 'failed' })

    server.react = () => undefined
    const sent = await admin.post(pathOf(application.code, id))
    assert.deepEqual(sent.body(), {
      success: true,
      data: { id, status: 'sent', statusReason: null },
    })
    const { notification, deliveries } = await notificationRecordOf(id)
    const [mail] = server.mailsTo(email)
    const createdAt = toDatabaseTimestamp(notification.createdAt)
    assert.include(mail.parsed.messageId, notificationReference(id, createdAt, email))
    assert.equal(mail.parsed.subject, 'Hello')
    assert.containSubset(deliveries, [{ channel: 'email', status: 'sent', attempts: 3 }])
    const inbox = await signedIn(client, email).get('/api/profile/me/notifications/inbox')
    assert.lengthOf(inbox.body().response, 1)
    const twice = await admin.post(pathOf(application.code, id))
    twice.assertProblem(409, 'NOTIFICATION_NOT_FAILED')
    assert.lengthOf(server.mailsTo(email), 1)
  })

  test('records the message that was sent', async ({ assert, client, cleanup }) => {
    const application = await anOldApplication()
    const type = await aType(application)
    const versions = { en: { subject: 'Now {{word}}', body: '<p>Hello</p>' } }
    const { key } = await aTemplate(type, versions)
    const email = uniqueEmail()
    const server = await new TestSmtpServer().start()
    cleanup(() => server.stop())
    await withOwnServer(email, server)
    const fields = { email, type: type.code, payload: { word: 'better' }, sensitiveVariables: [] }
    const unrendered = await aFailedEntry(application.code, {
      ...fields,
      templateKey: key,
      subject: '',
      templateSource: null,
      statusReason: 'NO_TEMPLATE',
      locale: 'cs',
      appName: 'Earlier name',
    })
    const admin = superAdmin(client)
    const sent = await admin.post(pathOf(application.code, unrendered.id))
    assert.equal(sent.body().data.status, 'sent')
    assert.equal(server.mailsTo(email)[0].parsed.subject, 'Now better')
    const recorded = { subject: 'Now better', locale: 'en', appCode: application.code }
    const entry = await admin.get(
      `/api/admin/notifications/log/${application.code}/${unrendered.id}`
    )
    const source = { template: key, templateSource: 'panel' }
    assert.containSubset(entry.body().data, { ...recorded, ...source })
    const explained = await admin.get(
      `/api/admin/notifications/log/${application.code}/${unrendered.id}/explain`
    )
    assert.containSubset(explained.body().data, { recorded: true, decision: 'send', reason: null })
    const inbox = await signedIn(client, email).get('/api/profile/me/notifications/inbox')
    assert.containSubset(inbox.body().response, [{ ...recorded, appName: application.name }])

    const own = { subject: 'Without a template', body: 'Hello' }
    const changed = await aFailedEntry(application.code, {
      email,
      payload: own,
      subject: 'Old',
      templateSource: 'panel',
    })
    await admin.post(pathOf(application.code, changed.id))
    const { notification } = await notificationRecordOf(changed.id)
    const { subject, templateSource } = notification
    assert.deepEqual([subject, templateSource], ['Without a template', 'data'])
  })

  test('keeps the record if the message cannot be rendered', async ({ assert, client }) => {
    const application = await anOldApplication()
    const type = await aType(application)
    const { key } = await aTemplate(type, {})
    const { id } = await aFailedEntry(application.code, {
      type: type.code,
      templateKey: key,
      subject: 'As it was',
      templateSource: 'panel',
      sensitiveVariables: [],
    })
    const response = await superAdmin(client).post(pathOf(application.code, id))
    assert.equal(response.body().data.statusReason, 'NO_TEMPLATE')
    const { notification } = await notificationRecordOf(id)
    assert.equal(notification.subject, 'As it was')
  })

  test('sends once for concurrent requests', async ({ assert, client, cleanup }) => {
    const { application, email, server, id } = await aFailedSend(client, cleanup)
    server.react = () => undefined
    server.delayMs = 300
    const admin = superAdmin(client)
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => admin.post(pathOf(application.code, id)))
    )
    const statuses = responses.map((response) => response.status()).sort()
    assert.deepEqual(statuses, [200, 409, 409, 409, 409])
    assert.lengthOf(server.mailsTo(email), 1)
  })

  test('is refused unless the notification failed and nothing is sending it', async ({
    assert,
    client,
    cleanup,
  }) => {
    const application = await anOldApplication()
    const { code } = application
    const admin = superAdmin(client)
    const unfinished = 'SMTP_ERROR: the delivery did not finish'
    const { id: broadcastId } = await aBroadcast(application, {
      audience: { kind: 'emails', emails: [uniqueEmail()] },
      scheduledAt: '2099-01-01T00:00:00Z',
    })
    const entries = [
      await aFailedEntry(code, { status: 'sent' }),
      await aFailedEntry(code, { status: 'skipped' }),
      await aFailedEntry(code, { statusReason: unfinished, createdAt: DateTime.utc() }),
    ]
    for (const { id } of entries) {
      const refused = await admin.post(pathOf(code, id))
      refused.assertProblem(409, 'NOTIFICATION_NOT_FAILED')
    }
    const old = await aFailedEntry(code, { statusReason: unfinished, broadcastId })
    const accepted = await admin.post(pathOf(code, old.id))
    accepted.assertStatus(200)

    const email = uniqueEmail()
    const server = await new TestSmtpServer().start()
    cleanup(() => server.stop())
    await withOwnServer(email, server)
    server.react = () => 451
    const durable = await sendDurably(client, email)
    const { notification } = await notificationRecordOf(durable.id)
    const retried = await admin.post(pathOf(notification.appCode, durable.id))
    retried.assertProblem(409, 'NOTIFICATION_NOT_FAILED')
    assert.isEmpty(server.mails)
  })

  test('is refused for notifications with secrets', async ({ assert, client }) => {
    const application = await anOldApplication()
    const { code } = application
    const system = await aType(application, { system: true })
    const type = await aType(application)
    const variables = [{ key: 'code', required: true, sensitive: true }]
    const version = { subject: 'Hello', body: '<p>{{code}}</p>' }
    const template = await aTemplate(type, { en: version }, { variables })
    const payload = { code: '123456' }
    const own = { type: type.code, templateKey: template.key, payload }
    const entries: [Partial<Notification>, RegExp][] = [
      [{ type: system.code }, /is a system type/],
      [{ ...own, sensitiveVariables: ['code'] }, /sensitive/],
      [{ ...own, sensitiveVariables: [] }, /sensitive/],
      [{ inInbox: false }, /sensitive/],
      [{ type: 'deleted', sensitiveVariables: [] }, /deleted was deleted/],
    ]
    for (const [fields, reason] of entries) {
      const { id } = await aFailedEntry(code, fields)
      const refused = await superAdmin(client).post(pathOf(code, id))
      refused.assertProblem(409, 'NOT_RESENDABLE')
      assert.match(refused.body().detail, reason)
    }
    const lost = await aFailedEntry(code, { type: type.code, templateKey: 'lost', payload })
    const unknown = await superAdmin(client).post(pathOf(code, lost.id))
    unknown.assertProblem(400, 'UNKNOWN_TEMPLATE')
  })

  test('is allowed if the data has no value for a sensitive variable', async ({
    assert,
    client,
  }) => {
    const application = await anOldApplication()
    const type = await aType(application)
    const variables = [{ key: 'code', required: false, sensitive: true }]
    const version = { subject: 'Hello', body: '<p>{{code}} {{name}}</p>' }
    const template = await aTemplate(type, { en: version }, { variables })
    for (const payload of [{ name: 'Ada' }, { name: 'Ada', code: null }, { code: '' }]) {
      const fields = { type: type.code, templateKey: template.key, payload }
      const { id } = await aFailedEntry(application.code, {
        ...fields,
        sensitiveVariables: ['code'],
      })
      const response = await superAdmin(client).post(pathOf(application.code, id))
      assert.containSubset(response.body(), { data: { id, status: 'sent' } })
    }
  })

  test('respects what was switched off in the meantime', async ({ assert, client, cleanup }) => {
    const { application, email, server, id } = await aFailedSend(client, cleanup)
    server.react = () => undefined
    const user = await ensureUser({ email })
    await user.merge({ active: false }).save()
    const response = await superAdmin(client).post(pathOf(application.code, id))
    const statusReason = 'NOTIFICATIONS_DISABLED: the user is deactivated'
    assert.deepEqual(response.body().data, { id, status: 'failed', statusReason })
    assert.isEmpty(server.mails)
    const { notification } = await notificationRecordOf(id)
    assert.containSubset(notification, { status: 'failed', statusReason })
  })

  test('is refused for entries of other applications', async ({ client }) => {
    const [one, other] = [await anOldApplication(), await anOldApplication()]
    const { id } = await aFailedEntry(one.code)
    const admin = signedIn(client, await anAdministratorOf(other))
    const foreign = await admin.post(pathOf(other.code, id))
    foreign.assertProblem(404, 'NOTIFICATION_NOT_FOUND')
    const hidden = await admin.post(pathOf(one.code, id))
    hidden.assertProblem(403, 'FORBIDDEN')
    const missing = await superAdmin(client).post(pathOf(uniqueCode(), id))
    missing.assertProblem(404, 'APPLICATION_NOT_FOUND')
    const earlier = await aFailedEntry(one.code, { createdAt: DateTime.utc().minus({ years: 10 }) })
    const refused = await superAdmin(client).post(pathOf(one.code, earlier.id))
    refused.assertProblem(404, 'NOTIFICATION_NOT_FOUND')
  })
})
