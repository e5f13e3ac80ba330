import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { usesPostgres } from '#core/database/dialect'
import AuditEntry from '#app/audit/models/audit_entry'
import { eraseUser } from '#app/identity_provider/user_lifecycle/erase_user'
import Delivery from '#app/delivery/models/delivery'
import { notificationRecord } from '#app/delivery/values/notification_record'
import Notification from '#app/notifications/models/notification'
import Webhook from '#app/webhooks/models/webhook'
import WebhookDelivery from '#app/webhooks/models/webhook_delivery'
import User from '#app/profiles/models/user'
import webhooksConfig from '#config/webhooks'
import {
  postInternalNotification,
  sendNotification,
  subscribe,
  withOwnServer,
} from '#tests/helpers/deliveries'
import { aDigestedType, reachDigests, sendDigested } from '#tests/helpers/digests'
import { eventually } from '#tests/helpers/eventually'
import { manageApplication } from '#tests/helpers/management'
import { LONG_AGO } from '#tests/helpers/provider_hook'
import { hasWaitingTransaction } from '#tests/helpers/waiting_transactions'
import { runNextRound, refusedPerson, takes } from '#tests/helpers/pending_sends'
import { SUPER_ADMIN } from '#tests/world/prepare'
import { anApplication, superAdmin, uniqueEmail } from '#tests/helpers/people'
import {
  aReceiver,
  aWebhook,
  attemptDue,
  deliveriesTo,
  eventsAt,
  forgetOtherWebhooks,
  relayChanges,
} from '#tests/helpers/webhooks'
import { PushService } from '#tests/world/push_service'
import { TestSmtpServer } from '#tests/world/smtp_server'

const TEXT = { subject: 'Secret subject', body: 'Secret body' }

test.group('Events of notifications', (group) => {
  group.each.setup(forgetOtherWebhooks)

  test('say how a message ended, and never what it says', async ({ assert, client, cleanup }) => {
    const application = await anApplication()
    const receiver = await aReceiver(cleanup)
    const { id, secret } = await aWebhook(cleanup, application, receiver.url)
    const server = await new TestSmtpServer().start()
    cleanup(() => server.stop())
    const email = uniqueEmail()
    await withOwnServer(email, server, { emailFrom: 'mail@acme.example' })
    const send = (fields: object = {}) =>
      sendNotification(client, {
        recipientEmail: email,
        appCode: application.code,
        type: 'generic',
        data: TEXT,
        ...fields,
      })

    const sent = (await send()).body().data
    server.react = (stage) => (stage === 'RCPT' ? 550 : undefined)
    const failed = (await send()).body().data
    const skipped = (await send({ type: 'unknown' })).body().data
    await attemptDue(id)

    const data = { application: application.code, recipientEmail: email, broadcastId: null }
    const events = eventsAt(receiver, secret)
    const of = (notificationId: number) =>
      events.find((event) => event.data.notificationId === notificationId)!
    assert.lengthOf(events, 3)
    assert.equal(of(sent.id).type, 'notification.sent')
    assert.deepEqual(of(sent.id).data, {
      ...data,
      notificationId: sent.id,
      type: 'generic',
      reason: null,
      channels: [{ channel: 'email', status: 'sent' }],
    })
    assert.equal(of(failed.id).type, 'notification.failed')
    assert.deepEqual(of(failed.id).data, {
      ...data,
      notificationId: failed.id,
      type: 'generic',
      reason: 'SMTP_ERROR',
      channels: [{ channel: 'email', status: 'failed' }],
    })
    assert.equal(of(skipped.id).type, 'notification.skipped')
    assert.deepEqual(of(skipped.id).data, {
      ...data,
      notificationId: skipped.id,
      type: 'unknown',
      reason: 'UNKNOWN_TYPE',
      channels: [],
    })
    assert.notMatch(JSON.stringify(receiver.requests), /Secret/)
  })

  test('come once a durable send has ended', async ({ assert, client, cleanup }) => {
    const application = await anApplication()
    const { server, email } = await refusedPerson(cleanup)
    const { id } = await aWebhook(cleanup, application, 'https://receiver.example')
    const response = await sendNotification(client, {
      recipientEmail: email,
      appCode: application.code,
      type: 'generic',
      data: TEXT,
      retryHours: 1,
    })
    assert.equal(response.body().data.status, 'failed')
    assert.isEmpty(await deliveriesTo(id))
    takes(server)
    await runNextRound(response.body().data)
    const [delivery, ...others] = await deliveriesTo(id)
    assert.equal(delivery.type, 'notification.sent')
    assert.isEmpty(others)
  })

  test('come once a digest has delivered the message', async ({ assert, client, cleanup }) => {
    const application = await anApplication()
    const type = await aDigestedType(application)
    const receiver = await aReceiver(cleanup)
    const { id, secret } = await aWebhook(cleanup, application, receiver.url)
    const email = uniqueEmail()
    const { id: notificationId } = await sendDigested(client, { application, type }, email)
    assert.isEmpty(await deliveriesTo(id))
    await reachDigests(email)
    await attemptDue(id)
    const events = eventsAt(receiver, secret)
    const event = events.find(({ data }) => data.notificationId === notificationId)!
    assert.equal(event.type, 'notification.sent')
    const channels = [{ channel: 'email', status: 'sent' }]
    assert.containSubset(event.data, { recipientEmail: email, reason: null, channels })
    assert.lengthOf(events, 2, 'and one for the digest')
  })

  test('come once although push fails and a digest delivers the message', async ({
    assert,
    client,
    cleanup,
  }) => {
    const application = await anApplication()
    const type = await aDigestedType(application)
    const receiver = await aReceiver(cleanup)
    const { id, secret } = await aWebhook(cleanup, application, receiver.url)
    const pushes = await new PushService().start()
    cleanup(() => pushes.stop())
    const emails = [uniqueEmail(), uniqueEmail(), uniqueEmail()]
    const browsers = emails.map(() => pushes.newBrowser())
    for (const [index, response] of [503, 400, 400].entries()) {
      browsers[index].response = response
      await subscribe(emails[index], browsers[index])
    }
    const send = (email: string) =>
      sendDigested(client, { application, type }, email, undefined, { retryHours: 1 })
    const [retried, refused, unlucky] = await Promise.all(emails.map(send))
    assert.isEmpty(await deliveriesTo(id), 'no outcome is final')
    await User.query().where({ email: emails[2] }).update({ active: false })
    await reachDigests(...emails)
    browsers[0].response = 400
    await runNextRound(retried)
    await attemptDue(id)
    const events = eventsAt(receiver, secret)
    const endOf = (result: { id: number }) =>
      events
        .filter(({ data }) => data.notificationId === result.id)
        .map(({ type: ended, data }) => `${ended} ${String(data.reason)}`)
    assert.deepEqual(endOf(retried), ['notification.sent PUSH_ERROR'])
    assert.deepEqual(endOf(refused), ['notification.sent PUSH_ERROR'])
    assert.deepEqual(endOf(unlucky), ['notification.failed PUSH_ERROR'])
  })

  test('say that a mail came back, once', async ({ assert, client, cleanup }) => {
    const application = await anApplication()
    const receiver = await aReceiver(cleanup)
    const events = ['notification.bounced' as const]
    const { id, secret } = await aWebhook(cleanup, application, receiver.url, { events })
    const email = uniqueEmail()
    const { id: notificationId } = await Notification.create({
      ...notificationRecord(application, {
        email,
        type: 'generic',
        status: 'sent',
        statusReason: null,
      }),
    })
    await Delivery.create({ notificationId, channel: 'email', status: 'sent' })
    const report = { email, kind: 'hard', notificationId, text: '550 5.1.1 unknown user' }
    for (const repeated of [false, true]) {
      const response = await postInternalNotification(client, '/bounces', report)
      assert.equal(response.body().data.recorded, !repeated)
    }
    await attemptDue(id)
    assert.deepEqual(
      eventsAt(receiver, secret).map(({ type, data }) => ({ type, data })),
      [
        {
          type: 'notification.bounced',
          data: {
            application: application.code,
            notificationId,
            type: 'generic',
            recipientEmail: email,
            kind: 'hard',
            suppression: 'hard_bounce',
          },
        },
      ]
    )
  })

  test('go to enabled webhooks of the own application that listen to them', async ({
    assert,
    client,
    cleanup,
  }) => {
    const [own, other] = [await anApplication(), await anApplication()]
    const url = 'https://receiver.example'
    const hooks = {
      listening: await aWebhook(cleanup, own, url, { events: ['notification.skipped'] }),
      deaf: await aWebhook(cleanup, own, url, { events: ['notification.sent'] }),
      disabled: await aWebhook(cleanup, own, url, { enabled: false }),
      foreign: await aWebhook(cleanup, other, url),
    }
    const recipientEmail = uniqueEmail()
    await sendNotification(client, { recipientEmail, appCode: own.code, type: 'unknown', data: {} })
    const counts = Object.entries(hooks).map(async ([name, { id }]) => {
      return [name, (await deliveriesTo(id)).length]
    })
    assert.deepEqual(Object.fromEntries(await Promise.all(counts)), {
      listening: 1,
      deaf: 0,
      disabled: 0,
      foreign: 0,
    })
  })
})

test.group('Events of users', (group) => {
  group.each.setup(forgetOtherWebhooks)

  test('go to the applications that the user belongs to', async ({ assert, client, cleanup }) => {
    const [own, other] = [await anApplication(), await anApplication()]
    const email = uniqueEmail()
    const { id: roleId } = await manageApplication(client, own.code).role()
    await manageApplication(client, own.code).userRoles(email, [roleId])
    await User.firstOrCreate({ email }, { email })
    const receiver = await aReceiver(cleanup)
    const events = ['user.deactivated', 'user.reactivated', 'user.erased'] as const
    const options = { events: [...events] }
    const { id, secret } = await aWebhook(cleanup, own, receiver.url, options)
    const foreign = await aWebhook(cleanup, other, receiver.url, options)
    const admin = superAdmin(client)
    const path = `/api/users/${encodeURIComponent(email)}`

    ;(await admin.put(`${path}/active`, { active: false })).assertStatus(200)
    ;(await admin.put(`${path}/active`, { active: true })).assertStatus(200)
    await relayChanges()
    await relayChanges()
    await attemptDue(id)
    assert.deepEqual(
      eventsAt(receiver, secret).map(({ type, data }) => ({ type, data })),
      ['user.deactivated', 'user.reactivated'].map((type) => ({
        type,
        data: { application: own.code, email },
      }))
    )
    const entry = await AuditEntry.query().where({ email, action: 'user.activated' }).firstOrFail()
    const { timestamp } = eventsAt(receiver, secret)[1]
    assert.equal(timestamp, entry.at.toUTC().toISO())
    assert.isEmpty(await deliveriesTo(foreign.id))
  })

  test('also go to applications that the user left at the same time', async ({
    assert,
    client,
    cleanup,
  }) => {
    const [left, leftEarlier] = [await anApplication(), await anApplication()]
    const email = uniqueEmail()
    const receiver = await aReceiver(cleanup)
    const options = { events: ['user.deactivated' as const] }
    const hooks: number[] = []
    for (const { code } of [left, leftEarlier]) {
      hooks.push((await aWebhook(cleanup, { code }, receiver.url, options)).id)
      const management = manageApplication(client, code)
      await management.userRoles(email, [(await management.role()).id])
    }
    await User.firstOrCreate({ email }, { email })
    await manageApplication(client, leftEarlier.code).userRoles(email, [])
    await db.from('access_changes').update({ at: LONG_AGO.toISO() })

    await changeStatus(client, email, false)
    await manageApplication(client, left.code).userRoles(email, [])
    await relayChanges()
    const counts = await Promise.all(hooks.map((id) => deliveriesTo(id)))
    assert.deepEqual(
      counts.map((deliveries) => deliveries.map(({ type }) => type)),
      [['user.deactivated'], []]
    )
  })

  test('say who was erased, and nothing else does any more', async ({
    assert,
    client,
    cleanup,
  }) => {
    const own = await anApplication()
    const email = uniqueEmail()
    const management = manageApplication(client, own.code)
    await User.firstOrCreate({ email }, { email })
    const receiver = await aReceiver(cleanup)
    const { id, secret } = await aWebhook(cleanup, own, receiver.url)
    const { id: roleId } = await management.role()
    await management.userRoles(email, [roleId])
    await sendNotification(client, {
      recipientEmail: email,
      appCode: own.code,
      type: 'unknown',
      data: {},
    })
    await changeStatus(client, email, false)
    await relayChanges()
    const before = (await deliveriesTo(id)).map(({ type }) => type)
    assert.includeMembers(before, ['notification.skipped', 'user.deactivated', 'access.changed'])

    const exported = await superAdmin(client).get(`/api/users/${encodeURIComponent(email)}/export`)
    const { webhookDeliveries } = exported.body().data
    assert.includeMembers(
      webhookDeliveries.map(({ type }: { type: string }) => type),
      ['notification.skipped', 'user.deactivated', 'access.changed']
    )

    await eraseUser(email, SUPER_ADMIN)
    await relayChanges()
    const left = await deliveriesTo(id).where('content', 'like', `%${email}%`)
    assert.deepEqual(
      left.map(({ type, email: about }) => ({ type, about })),
      [{ type: 'user.erased', about: null }]
    )
    await attemptDue(id)
    const erased = eventsAt(receiver, secret).filter(({ type }) => type === 'user.erased')
    assert.deepEqual(
      erased.map(({ data }) => data),
      [{ application: own.code, email }]
    )
    assert.isEmpty(await deliveriesTo(id).where('content', 'like', `%${email}%`))
  })

  test('are locked after their webhook, as when an attempt is recorded', async ({
    assert,
    client,
    cleanup,
  }) => {
    if (!usesPostgres()) return
    const { code } = await anApplication()
    const email = uniqueEmail()
    const management = manageApplication(client, code)
    await management.userRoles(email, [(await management.role()).id])
    const { id } = await aWebhook(cleanup, { code }, 'https://receiver.example')
    await User.firstOrCreate({ email }, { email })
    await changeStatus(client, email, false)
    await relayChanges()
    let erasure: Promise<unknown> | undefined
    await db.transaction(async (trx) => {
      await Webhook.query({ client: trx }).where({ id }).forUpdate()
      erasure = eraseUser(email, SUPER_ADMIN)
      await eventually('the erasure waits', hasWaitingTransaction)
      // Otherwise each would wait for the other one.
      const found = await WebhookDelivery.query({ client: trx })
        .where({ email })
        .forUpdate()
        .noWait()
      assert.isNotEmpty(found)
    })
    await erasure
    assert.isEmpty(await WebhookDelivery.query().where({ email }))
  })
})

async function changeStatus(
  client: Parameters<typeof superAdmin>[0],
  email: string,
  active: boolean
) {
  const path = `/api/users/${encodeURIComponent(email)}/active`
  const response = await superAdmin(client).put(path, { active })
  response.assertStatus(200)
}

test.group('Events of access', (group) => {
  group.each.setup(forgetOtherWebhooks)

  test('of more changes than are derived at a time come once each', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { relayEvents } = webhooksConfig
    webhooksConfig.relayEvents = 2
    cleanup(async () => void (webhooksConfig.relayEvents = relayEvents))
    const own = await anApplication()
    const management = manageApplication(client, own.code)
    const { id: roleId } = await management.role()
    const emails = Array.from({ length: 5 }, () => uniqueEmail())
    for (const email of emails) await management.userRoles(email, [roleId])
    const url = 'https://receiver.example'
    const events = ['access.changed', 'user.deactivated'] as const
    const { id } = await aWebhook(cleanup, own, url, { events: [...events] })
    for (const email of emails) {
      await User.firstOrCreate({ email }, { email })
      await changeStatus(client, email, false)
    }
    await relayChanges()
    const found = (await deliveriesTo(id)).map(({ type, email }) => `${type} ${email}`)
    const expected = events.flatMap((type) => emails.map((email) => `${type} ${email}`))
    assert.sameMembers(found, expected)
    assert.lengthOf(found, expected.length)
  })

  test('name the user, or nobody if everyone may be concerned', async ({
    assert,
    client,
    cleanup,
  }) => {
    const [own, other] = [await anApplication(), await anApplication()]
    const [email, stranger] = [uniqueEmail(), uniqueEmail()]
    const receiver = await aReceiver(cleanup)
    const management = manageApplication(client, own.code)
    const { id: roleId } = await management.role()
    const events = { events: ['access.changed' as const] }
    const { id, secret } = await aWebhook(cleanup, own, receiver.url, events)
    const admin = superAdmin(client)

    const granted = await admin.put(`/api/users/${email}/apps/${own.code}/roles`, {
      roleIds: [roleId],
    })
    const elsewhere = manageApplication(client, other.code)
    const { id: otherRoleId } = await elsewhere.role()
    await elsewhere.userRoles(stranger, [otherRoleId])
    const { id: permissionId } = await management.permission()
    const changed = await admin.put(`/api/applications/${own.code}/roles/${roleId}/permissions`, {
      permissions: [{ permissionId, accessLevel: 'allowed' }],
    })
    changed.assertStatus(200)
    await relayChanges()
    await attemptDue(id)
    const found = eventsAt(receiver, secret)
    assert.deepInclude(
      found.map(({ data }) => data),
      {
        application: own.code,
        email,
        revision: Number(granted.header('concierge-revision')),
      }
    )
    assert.deepInclude(
      found.map(({ data }) => data),
      {
        application: own.code,
        email: null,
        revision: Number(changed.header('concierge-revision')),
      }
    )
    assert.notInclude(JSON.stringify(found), stranger)
    assert.notInclude(JSON.stringify(found), other.code)
  })
})
