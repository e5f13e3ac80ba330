import { test } from '@japa/runner'
import emitter from '@adonisjs/core/services/emitter'
import { DateTime } from 'luxon'
import AuditEntry from '#app/audit/models/audit_entry'
import NotificationBounced from '#app/bounces/events/notification_bounced'
import { notificationRecord } from '#app/delivery/values/notification_record'
import Notification from '#app/notifications/models/notification'
import MailBounce from '#app/suppressions/models/mail_bounce'
import Suppression from '#app/suppressions/models/suppression'
import { aKeyOf, aMessage, serverWith } from '#tests/helpers/application_keys'
import { sendNotification } from '#tests/helpers/deliveries'
import { anotherService } from '#tests/helpers/internal'
import { anApplication, superAdmin, uniqueEmail } from '#tests/helpers/people'
import { smtp } from '#tests/world/prepare'

const BOUNCES = '/api/internal/notifications/bounces'
const UNKNOWN_USER = '550 5.1.1 No such user'

test.group('Reported bounces', () => {
  test('a hard bounce suppresses the address, and the log shows it', async ({ client, assert }) => {
    const { code } = await anApplication()
    const email = uniqueEmail()
    const server = anotherService(client)
    const sent = await sendNotification(client, aMessage(code, email))
    const { id } = sent.body().data
    const bounces: NotificationBounced[] = []
    const stop = emitter.on(NotificationBounced, (event) => void bounces.push(event))
    const report = { email, kind: 'hard', notificationId: id, text: UNKNOWN_USER }
    const reported = await server.post(BOUNCES, report)
    reported.assertStatus(200)
    assert.deepEqual(reported.body().data, { recorded: true, suppression: 'hard_bounce' })
    const repeated = await server.post(BOUNCES, report)
    assert.deepEqual(repeated.body().data, { recorded: false, suppression: 'hard_bounce' })
    stop()
    assert.deepEqual(
      bounces.map((event) => [event.notification.id, event.kind, event.text, event.suppression]),
      [[id, 'hard', UNKNOWN_USER, 'hard_bounce']]
    )

    const entry = (await server.get(`/api/internal/notifications/${id}`)).body().data
    assert.containSubset(entry, { status: 'failed', statusReason: `BOUNCED: ${UNKNOWN_USER}` })
    const [mail] = entry.deliveries
    assert.containSubset(mail, { channel: 'email', status: 'failed', error: UNKNOWN_USER })
    assert.isNotNull(mail.providerMessageId)
    assert.deepEqual(
      mail.attempts.map(({ outcome, code: reply, text }: Record<string, unknown>) => [
        outcome,
        reply,
        outcome === 'bounced' ? text : '',
      ]),
      [
        ['accepted', 250, ''],
        ['bounced', 550, UNKNOWN_USER],
      ]
    )
    const next = await sendNotification(client, aMessage(code, email))
    assert.containSubset(next.body().data, {
      status: 'skipped',
      statusReason: 'RECIPIENT_SUPPRESSED',
    })
    assert.lengthOf(smtp.mailsTo(email), 1)
  })

  test('five soft bounces within 30 days suppress, and removing that starts the count again', async ({
    client,
    assert,
  }) => {
    const email = uniqueEmail()
    const server = anotherService(client)
    const report = async () => {
      const response = await server.post(BOUNCES, { email, kind: 'soft' })
      return response.body().data.suppression
    }
    for (let bounce = 1; bounce <= 4; bounce++) assert.isNull(await report())
    assert.equal(await report(), 'soft_bounces')
    const admin = superAdmin(client)
    await admin.delete(`/api/admin/notifications/suppressions/${encodeURIComponent(email)}`)
    for (let bounce = 1; bounce <= 4; bounce++) assert.isNull(await report())
  })

  test('soft bounces of more than 30 days ago do not count', async ({ client, assert }) => {
    const email = uniqueEmail()
    const server = anotherService(client)
    const report = async () => {
      const response = await server.post(BOUNCES, { email, kind: 'soft' })
      return response.body().data.suppression
    }
    for (let bounce = 1; bounce <= 4; bounce++) assert.isNull(await report())
    const longAgo = DateTime.utc().minus({ days: 31 }).toISO()
    await MailBounce.query().where({ email }).update({ created_at: longAgo })
    for (let bounce = 1; bounce <= 4; bounce++) assert.isNull(await report())
    assert.equal(await report(), 'soft_bounces')
  })

  test('one mail that comes back several times counts once', async ({ client, assert }) => {
    const { code } = await anApplication()
    const email = uniqueEmail()
    const server = anotherService(client)
    const sent = await sendNotification(client, aMessage(code, email))
    const report = { email, kind: 'soft', notificationId: sent.body().data.id }
    for (let repeat = 0; repeat < 6; repeat++) await server.post(BOUNCES, report)
    assert.isNull(await Suppression.findBy({ email }))
  })

  test('a complaint suppresses, and the notification stays delivered', async ({
    client,
    assert,
  }) => {
    const { code } = await anApplication()
    const email = uniqueEmail()
    const sent = await sendNotification(client, aMessage(code, email))
    const { id } = sent.body().data
    const server = anotherService(client)
    const reported = await server.post(BOUNCES, { email, kind: 'complaint', notificationId: id })
    assert.equal(reported.body().data.suppression, 'complaint')
    const { status, statusReason } = await Notification.findOrFail(id)
    assert.deepEqual([status, statusReason], ['sent', 'COMPLAINT'])
  })

  test('an application reports only its own notifications', async ({ client, assert }) => {
    const [own, other] = [await anApplication(), await anApplication()]
    const email = uniqueEmail()
    const sent = await sendNotification(client, aMessage(own.code, email))
    const report = { email, kind: 'hard', notificationId: sent.body().data.id }
    const stranger = serverWith(client, (await aKeyOf(other)).text)
    const foreign = await stranger.post('/notifications/bounces', report)
    foreign.assertProblem(404, 'NOTIFICATION_NOT_FOUND')
    const unknown = await stranger.post('/notifications/bounces', {
      ...report,
      notificationId: 2_147_483_647,
    })
    unknown.assertProblem(404, 'NOTIFICATION_NOT_FOUND')
    assert.equal(
      foreign.body().detail.replaceAll(/\d+/g, ''),
      unknown.body().detail.replaceAll(/\d+/g, '')
    )
    const unnamed = await stranger.post('/notifications/bounces', { email, kind: 'hard' })
    unnamed.assertProblem(403, 'KEY_NOT_FOR_APPLICATION')
    const owner = serverWith(client, (await aKeyOf(own)).text)
    const swapped = await owner.post('/notifications/bounces', { ...report, email: uniqueEmail() })
    swapped.assertProblem(404, 'NOTIFICATION_NOT_FOUND')
    assert.isNull(await Suppression.findBy({ email }))
    const accepted = await owner.post('/notifications/bounces', report)
    accepted.assertStatus(200)
  })

  test('the audit trail names the application key that suppressed an address', async ({
    client,
    assert,
  }) => {
    const application = await anApplication()
    const email = uniqueEmail()
    const sent = await sendNotification(client, aMessage(application.code, email))
    const server = serverWith(client, (await aKeyOf(application)).text)
    const report = { email, notificationId: sent.body().data.id }
    await server.post('/notifications/bounces', { ...report, kind: 'soft' })
    assert.isNull(await AuditEntry.findBy({ action: 'suppression.added', email }))
    await server.post('/notifications/bounces', { ...report, kind: 'complaint' })
    await server.post('/notifications/bounces', { ...report, kind: 'hard' })
    const entries = await AuditEntry.query().where({ action: 'suppression.added', email })
    assert.lengthOf(entries, 1)
    const [{ actorKind, actorName, applicationId, stateAfter }] = entries
    assert.equal(actorKind, 'server')
    assert.include(actorName, application.code)
    assert.isNull(applicationId)
    assert.deepEqual(JSON.parse(stateAfter!), { reason: 'complaint', note: null })
  })

  test('the audit trail shows suppressions by reports that name no notification', async ({
    client,
    assert,
  }) => {
    const email = uniqueEmail()
    const server = anotherService(client)
    for (const kind of ['soft', 'hard', 'hard']) await server.post(BOUNCES, { email, kind })
    const entries = await AuditEntry.query().where({ action: 'suppression.added', email })
    assert.lengthOf(entries, 1)
    assert.equal(entries[0]!.actorKind, 'server')
    assert.deepEqual(JSON.parse(entries[0]!.stateAfter!), { reason: 'hard_bounce', note: null })
  })

  test('an application cannot report what was not sent as a mail', async ({ client, assert }) => {
    const application = await anApplication()
    const email = uniqueEmail()
    const unsent = { ...aMessage(application.code, email), type: 'unknown' }
    const { id } = (await sendNotification(client, unsent)).body().data
    const server = serverWith(client, (await aKeyOf(application)).text)
    const report = { email, kind: 'complaint', notificationId: id }
    const response = await server.post('/notifications/bounces', report)
    response.assertProblem(404, 'NOTIFICATION_NOT_FOUND')
    assert.isNull(await Suppression.findBy({ email }))
  })

  test('a report about a notification without a mail counts, but is no event', async ({
    client,
    assert,
    cleanup,
  }) => {
    const { code } = await anApplication()
    const email = uniqueEmail()
    const unsent = { ...aMessage(code, email), type: 'unknown' }
    const { id } = (await sendNotification(client, unsent)).body().data
    let events = 0
    cleanup(emitter.on(NotificationBounced, () => void events++))
    const report = { email, kind: 'complaint', notificationId: id }
    const response = await anotherService(client).post(BOUNCES, report)
    assert.deepEqual(response.body().data, { recorded: true, suppression: 'complaint' })
    assert.equal((await Notification.findOrFail(id)).statusReason, 'UNKNOWN_TYPE')
    assert.equal(events, 0)
  })

  test('the text is cut after secrets were removed', async ({ client, assert }) => {
    const email = uniqueEmail()
    const secret = 'open-sesame-4711'
    const { id } = await Notification.create(
      notificationRecord(await anApplication(), {
        email,
        type: 'generic',
        status: 'sent',
        statusReason: null,
        inInbox: true,
        payload: { word: secret },
        sensitiveVariables: ['word'],
      })
    )
    const text = `550 5.7.1 ${'x'.repeat(280)} ${secret} was refused`
    const report = { email, kind: 'hard', notificationId: id, text }
    ;(await anotherService(client).post(BOUNCES, report)).assertStatus(200)
    const { note } = await Suppression.findByOrFail({ email })
    assert.match(note!, /^550 5\.7\.1 x+ /)
    assert.notInclude(note, 'open')
  })

  test('an unknown kind is refused', async ({ client }) => {
    const response = await anotherService(client).post(BOUNCES, {
      email: uniqueEmail(),
      kind: 'bouncy',
    })
    response.assertProblem(400, 'VALIDATION_ERROR')
  })

  test('a bulk send skips those who are suppressed', async ({ client, assert }) => {
    const { code } = await anApplication()
    const [suppressed, usual] = [uniqueEmail(), uniqueEmail()]
    await Suppression.create({ email: suppressed, reason: 'manual' })
    const response = await anotherService(client).post('/api/internal/notifications/bulk', {
      notifications: [aMessage(code, suppressed), aMessage(code, usual)],
    })
    assert.containSubset(response.body().data, [
      { status: 'skipped', statusReason: 'RECIPIENT_SUPPRESSED' },
      { status: 'sent' },
    ])
  })
})

test.group('The list of bounces', () => {
  const path = '/api/admin/notifications/bounces'

  test('has filters and pages, and names the application', async ({ client, assert }) => {
    const { code } = await anApplication()
    const email = uniqueEmail()
    const sent = await sendNotification(client, aMessage(code, email))
    const { id: notificationId } = sent.body().data
    const server = anotherService(client)
    await server.post(BOUNCES, { email, kind: 'soft', notificationId })
    await server.post(BOUNCES, { email, kind: 'complaint' })
    const list = async (query: string) => {
      const response = await superAdmin(client).get(`${path}?email=${email}${query}`)
      response.assertStatus(200)
      return response.body().data
    }
    const [complaint, soft] = await list('')
    assert.containSubset(complaint, {
      email,
      kind: 'complaint',
      notificationId: null,
      appCode: null,
    })
    assert.containSubset(soft, { email, kind: 'soft', notificationId, appCode: code })
    assert.deepEqual(await list('&kind=soft'), [soft])
    assert.deepEqual(await list('&limit=1'), [complaint])
    const counted = await superAdmin(client).get(`${path}?email=${email}&limit=1&count=true`)
    assert.equal(counted.header('x-total-count'), '2')
    const refused = await superAdmin(client).get(`${path}?kind=other`)
    refused.assertProblem(400, 'VALIDATION_ERROR')
  })
})
