import { test } from '@japa/runner'
import emitter from '@adonisjs/core/services/emitter'
import NotificationBounced from '#app/bounces/events/notification_bounced'
import Notification from '#app/notifications/models/notification'
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
        ...[outcome, reply],
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

  test('five soft bounces within 30 days suppress, and removing that counts anew', async ({
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

  test('an unknown kind is refused', async ({ client }) => {
    const response = await anotherService(client).post(BOUNCES, {
      ...{ email: uniqueEmail(), kind: 'bouncy' },
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
