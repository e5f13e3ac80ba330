import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import DeliveryAttempt from '#app/delivery/models/delivery_attempt'
import { addAttempts } from '#app/delivery/actions/add_attempts'
import { attemptNow } from '#app/delivery/values/attempt_report'
import Notification from '#app/notifications/models/notification'
import BroadcastRecipient from '#app/broadcasts/models/broadcast_recipient'
import { transaction } from '#core/database/transaction'
import { aKeyOf, serverWith } from '#tests/helpers/application_keys'
import { aBroadcast, startBroadcastWorker, waitForBroadcastStatus } from '#tests/helpers/broadcasts'
import {
  aTemplate,
  aType,
  sendNotification,
  subscribe,
  withOwnServer,
} from '#tests/helpers/deliveries'
import { eventually } from '#tests/helpers/eventually'
import { aNotification } from '#tests/helpers/inbox'
import { anotherService } from '#tests/helpers/internal'
import { TIMESTAMP } from '#tests/helpers/management'
import { findPendingSend, sendDurably } from '#tests/helpers/pending_sends'
import {
  anAdministratorOf,
  anApplication,
  signedIn,
  superAdmin,
  uniqueCode,
  uniqueEmail,
} from '#tests/helpers/people'
import { PushService } from '#tests/world/push_service'
import { TestSmtpServer } from '#tests/world/smtp_server'

const TEXT = { subject: 'Hello', body: 'Something happened' }
const ADMIN = '/api/admin/notifications/log'
const INTERNAL = '/api/internal/notifications'

type Cleanup = (callback: () => Promise<void>) => void

async function aServerOf(email: string, cleanup: Cleanup) {
  const server = await new TestSmtpServer().start()
  cleanup(() => server.stop())
  await withOwnServer(email, server)
  return server
}

test.group('A log entry', () => {
  test('shows every attempt with what the mail server said', async ({
    assert,
    client,
    cleanup,
  }) => {
    const application = await anApplication()
    const email = uniqueEmail()
    const server = await aServerOf(email, cleanup)
    let refusals = 1
    server.react = (stage) => (stage === 'RCPT' && refusals-- > 0 ? 451 : undefined)
    const request = {
      recipientEmail: email,
      appCode: application.code,
      type: 'generic',
      data: TEXT,
    }
    const sent = await sendNotification(client, request)
    const { id } = sent.body().data

    const response = await superAdmin(client).get(`${ADMIN}/${application.code}/${id}`)
    response.assertStatus(200)
    const { data } = response.body()
    const [mail] = server.mailsTo(email)
    assert.match(data.createdAt, TIMESTAMP)
    const [delivery] = data.deliveries
    for (const { at } of delivery.attempts) assert.match(at, TIMESTAMP)
    assert.deepEqual(data, {
      id,
      recipientEmail: email,
      appCode: application.code,
      type: 'generic',
      template: null,
      subject: 'Hello',
      status: 'sent',
      statusReason: null,
      scheduledFor: null,
      locale: 'en',
      createdAt: data.createdAt,
      broadcastId: null,
      digestId: null,
      digestSize: null,
      templateSource: 'data',
      payload: TEXT,
      deliveries: [
        {
          channel: 'email',
          status: 'sent',
          attempts: [
            {
              at: delivery.attempts[0].at,
              outcome: 'deferred',
              code: 451,
              text: delivery.attempts[0].text,
            },
            {
              at: delivery.attempts[1].at,
              outcome: 'accepted',
              code: 250,
              text: delivery.attempts[1].text,
            },
          ],
          providerMessageId: mail.parsed.messageId!,
          error: null,
          nextAttemptAt: null,
        },
      ],
    })
    assert.match(delivery.attempts[0].text, /^451/)
    assert.match(delivery.attempts[1].text, /^250/)
    const internal = await anotherService(client).get(`${INTERNAL}/${id}`)
    internal.assertStatus(200)
    assert.deepEqual(internal.body(), response.body())
  })

  test('shows the attempt of each browser', async ({ assert, client, cleanup }) => {
    const application = await anApplication()
    const email = uniqueEmail()
    const pushService = await new PushService().start()
    cleanup(() => pushService.stop())
    for (const response of [201, 410] as const) {
      const browser = pushService.newBrowser()
      browser.response = response
      await subscribe(email, browser)
    }
    const request = {
      recipientEmail: email,
      appCode: application.code,
      type: 'generic',
      data: TEXT,
    }
    const sent = await sendNotification(client, request)
    const entry = await superAdmin(client).get(
      `${ADMIN}/${application.code}/${sent.body().data.id}`
    )
    const push = entry
      .body()
      .data.deliveries.find((one: { channel: string }) => one.channel === 'push')
    assert.equal(push.status, 'sent')
    assert.sameDeepMembers(
      push.attempts.map(({ outcome, code }: { outcome: string; code: number }) => [outcome, code]),
      [
        ['accepted', 201],
        ['rejected', 410],
      ]
    )
  })

  test('shows when a durable send is tried again', async ({ assert, client, cleanup }) => {
    const email = uniqueEmail()
    const server = await aServerOf(email, cleanup)
    server.react = () => 451
    const { id } = await sendDurably(client, email)
    const { dueAt } = (await findPendingSend(id))!
    const entry = await anotherService(client).get(`${INTERNAL}/${id}`)
    assert.containSubset(entry.body().data.deliveries, [
      { channel: 'email', status: 'pending', nextAttemptAt: dueAt.toJSDate().toISOString() },
    ])
    assert.lengthOf(entry.body().data.deliveries[0].attempts, 3)
  })

  test('keeps the attempts of a broadcast and shows when it is tried again', async ({
    assert,
    client,
    cleanup,
  }) => {
    const application = await anApplication()
    const email = uniqueEmail()
    const server = await aServerOf(email, cleanup)
    server.react = () => 451
    const { id } = await aBroadcast(application, { audience: { kind: 'emails', emails: [email] } })
    startBroadcastWorker(cleanup)
    await eventually('it was tried', async () => {
      const recipient = await BroadcastRecipient.findBy({ broadcastId: id })
      return recipient?.tries === 1
    })
    const list = await superAdmin(client).get(`${ADMIN}/${application.code}?broadcastId=${id}`)
    assert.lengthOf(list.body().data, 1)
    const path = `${ADMIN}/${application.code}/${list.body().data[0].id}`
    const waiting = await superAdmin(client).get(path)
    const { broadcastId, deliveries } = waiting.body().data
    assert.equal(broadcastId, id)
    assert.containSubset(deliveries, [{ channel: 'email', status: 'pending' }])
    assert.match(deliveries[0].nextAttemptAt, TIMESTAMP)
    assert.lengthOf(deliveries[0].attempts, 3)
    assert.match(deliveries[0].error, /^451/)

    const post = (operation: string) =>
      superAdmin(client).post(
        `/api/admin/notifications/broadcast/${application.code}/${id}/${operation}`
      )
    await post('pause')
    const paused = await superAdmin(client).get(path)
    const [held] = paused.body().data.deliveries
    assert.containSubset(held, { status: 'pending', nextAttemptAt: null })
    assert.match(held.error, /^451/)
    await post('resume')

    server.react = () => undefined
    await BroadcastRecipient.query().where('broadcastId', id).update({ due_at: 1 })
    await waitForBroadcastStatus(id, 'completed', 20_000)
    const done = await superAdmin(client).get(path)
    const [mail] = done.body().data.deliveries
    assert.containSubset(mail, { status: 'sent', nextAttemptAt: null })
    assert.lengthOf(mail.attempts, 4)
    const others = await superAdmin(client).get(
      `${ADMIN}/${application.code}?broadcastId=${id + 1}`
    )
    assert.deepEqual(others.body().data, [])
  })

  test('keeps the latest 100 attempts of a channel', async ({ assert }) => {
    const { id: notificationId } = await aNotification(uniqueEmail())
    const key = { notificationId, channel: 'email' as const }
    for (let round = 1; round <= 52; round++) {
      const attempts = [
        attemptNow('deferred', 451, `${round} a`),
        attemptNow('deferred', 451, `${round} b`),
      ]
      const result = { status: 'failed' as const, attempts, providerMessageId: null, error: 'no' }
      await transaction((trx) => addAttempts(key, result, trx))
    }
    const kept = await DeliveryAttempt.query().where(key).orderBy('id')
    assert.lengthOf(kept, 100)
    assert.deepEqual([kept[0].text, kept[99].text], ['3 a', '52 b'])
    await Notification.query().where('id', notificationId).delete()
    assert.lengthOf(await DeliveryAttempt.query().where(key), 0)
  })

  test('belongs to its application', async ({ assert, client }) => {
    const [application, other] = [await anApplication(), await anApplication()]
    const { id } = await aNotification(uniqueEmail(), { appCode: application.code })
    const admin = signedIn(client, await anAdministratorOf(other))
    const foreign = await admin.get(`${ADMIN}/${other.code}/${id}`)
    foreign.assertProblem(404, 'NOTIFICATION_NOT_FOUND')
    const hidden = await admin.get(`${ADMIN}/${application.code}/${id}`)
    hidden.assertProblem(403, 'FORBIDDEN')
    const unknown = await superAdmin(client).get(`${ADMIN}/${application.code}/2147483647`)
    unknown.assertProblem(404, 'NOTIFICATION_NOT_FOUND')
    const detail = `Notification 2147483647 does not exist in application ${application.code}`
    assert.equal(unknown.body().detail, detail)
    for (const path of [`${ADMIN}/${application.code}/abc`, `${ADMIN}/${uniqueCode()}/0`]) {
      const malformed = await superAdmin(client).get(path)
      malformed.assertProblem(400, 'VALIDATION_ERROR')
    }
    const missing = await superAdmin(client).get(`${ADMIN}/${uniqueCode()}/${id}`)
    missing.assertProblem(404, 'APPLICATION_NOT_FOUND')

    const { text: ownKey } = await aKeyOf(application)
    const own = await serverWith(client, ownKey).get(`/notifications/${id}`)
    own.assertStatus(200)
    const { text: otherKey } = await aKeyOf(other)
    for (const any of [id, 2147483647]) {
      const refused = await serverWith(client, otherKey).get(`/notifications/${any}`)
      refused.assertProblem(403, 'KEY_NOT_FOR_APPLICATION')
    }
    const nowhere = await anotherService(client).get(`${INTERNAL}/2147483647`)
    nowhere.assertProblem(404, 'NOTIFICATION_NOT_FOUND')
    assert.equal(own.body().data.id, id)
  })

  test('of an earlier application with the same code is hidden', async ({ client }) => {
    const code = uniqueCode()
    const { id } = await aNotification(uniqueEmail(), { appCode: code })
    await db.from('notifications').where({ id }).update({ created_at: '2020-01-01T00:00:00.000Z' })
    const application = await anApplication({ code })
    const admin = signedIn(client, await anAdministratorOf(application))
    for (const reader of [admin, superAdmin(client)]) {
      const hidden = await reader.get(`${ADMIN}/${code}/${id}`)
      hidden.assertProblem(404, 'NOTIFICATION_NOT_FOUND')
    }
    const seen = await anotherService(client).get(`${INTERNAL}/${id}`)
    seen.assertStatus(200)
    const { text } = await aKeyOf(application)
    const refused = await serverWith(client, text).get(`/notifications/${id}`)
    refused.assertProblem(403, 'KEY_NOT_FOR_APPLICATION')
  })
})

test.group('Sensitive variables', () => {
  const CODE = 'Zx81-Quark'
  const variables = [
    { key: 'code', required: true, sensitive: true },
    { key: 'order.pin', required: false, sensitive: true },
    { key: 'name', required: true },
  ]

  async function aSecretTemplate() {
    const application = await anApplication()
    const type = await aType(application)
    const version = { subject: '{{name}}: {{code}}', body: '<p>{{code}} {{order.pin}}</p>' }
    const template = await aTemplate(type, { en: version }, { variables })
    const data = { name: 'Ada', code: CODE, order: { pin: 4711, id: 7 } }
    return { application, type, template, data }
  }

  test('are masked only in the log', async ({ assert, client, cleanup }) => {
    const { application, type, template, data } = await aSecretTemplate()
    const email = uniqueEmail()
    const server = await aServerOf(email, cleanup)
    const request = { recipientEmail: email, appCode: application.code, type: type.code, data }
    const sent = await sendNotification(client, request)
    const { id } = sent.body().data
    const [mail] = server.mailsTo(email)
    assert.equal(mail.parsed.subject, `Ada: ${CODE}`)
    const inbox = await signedIn(client, email).get('/api/profile/me/notifications/inbox')
    assert.containSubset(inbox.body().response[0], { payload: data, subject: 'Ada: ***' })

    const readers = [
      await superAdmin(client).get(`${ADMIN}/${application.code}/${id}`),
      await anotherService(client).get(`${INTERNAL}/${id}`),
    ]
    for (const reader of readers) {
      assert.deepEqual(reader.body().data.payload, {
        name: 'Ada',
        code: '***',
        order: { pin: '***', id: 7 },
      })
      assert.equal(reader.body().data.subject, 'Ada: ***')
      assert.equal(reader.body().data.templateSource, 'panel')
    }
    const list = await superAdmin(client).get(`${ADMIN}/${application.code}`)
    assert.notInclude(JSON.stringify(list.body()), CODE)

    await template.merge({ variables: [] }).save()
    await type.delete()
    const later = await superAdmin(client).get(`${ADMIN}/${application.code}/${id}`)
    assert.notInclude(JSON.stringify(later.body()), CODE)
  })

  test('are masked in the subject too if another variable has the same value', async ({
    assert,
    client,
  }) => {
    const { application, type, data } = await aSecretTemplate()
    const sent = await sendNotification(client, {
      recipientEmail: uniqueEmail(),
      appCode: application.code,
      type: type.code,
      data: { ...data, name: CODE },
    })
    const entry = await superAdmin(client).get(
      `${ADMIN}/${application.code}/${sent.body().data.id}`
    )
    assert.equal(entry.body().data.subject, '***: ***')
    assert.notInclude(JSON.stringify(entry.body()), CODE)
  })

  test('that are declared later are masked in earlier entries', async ({ assert, client }) => {
    const { application, type, template, data } = await aSecretTemplate()
    const { id } = await aNotification(uniqueEmail(), {
      appCode: application.code,
      type: type.code,
      templateKey: template.key,
      payload: data,
    })
    const entry = await superAdmin(client).get(`${ADMIN}/${application.code}/${id}`)
    assert.notInclude(JSON.stringify(entry.body().data.payload), CODE)
  })

  test('are not recorded when a mail server quotes them', async ({ assert, client, cleanup }) => {
    const { application, type, data } = await aSecretTemplate()
    const email = uniqueEmail()
    const server = await aServerOf(email, cleanup)
    server.react = (stage) => (stage === 'DATA' ? 554 : undefined)
    const beginning = CODE.slice(0, 5)
    // Recorded texts end within the second one.
    for (const refusal of [`refused because of ${CODE}`, `${'refused '.repeat(36)}${CODE}`]) {
      server.refusal = refusal
      const request = { recipientEmail: email, appCode: application.code, type: type.code, data }
      const sent = await sendNotification(client, request)
      assert.notInclude(sent.body().data.statusReason, beginning)
      for (const table of ['notifications', 'deliveries', 'delivery_attempts']) {
        const rows = await db.from(table).orderBy('id', 'desc').limit(20)
        // These are for the recipient only.
        const texts = rows.map((row) => ({
          ...row,
          payload: null,
          body_text: null,
          body_html: null,
        }))
        assert.notInclude(JSON.stringify(texts), beginning, table)
      }
    }
  })

  test('of entries without recorded keys are masked if the entry is not in the inbox', async ({
    assert,
    client,
  }) => {
    const application = await anApplication()
    const { id } = await aNotification(uniqueEmail(), {
      appCode: application.code,
      inInbox: false,
      payload: { otp: '123456', displayName: 'Ada', templateSource: 'idp' },
    })
    const entry = await superAdmin(client).get(`${ADMIN}/${application.code}/${id}`)
    assert.deepEqual(entry.body().data.payload, {
      otp: '***',
      displayName: 'Ada',
      templateSource: 'idp',
    })
  })
})

test.group('The body of a log entry', () => {
  const bodyOf = async (client: ApiClient, { id, appCode }: Notification) =>
    superAdmin(client).get(`${ADMIN}/${appCode}/${id}/body`)

  test('is what was rendered', async ({ assert, client }) => {
    const { code: appCode } = await anApplication()
    const texts = { bodyText: 'Hello Ada', bodyHtml: '<p>Hello Ada</p>' }
    const entry = await aNotification(uniqueEmail(), { appCode, subject: 'Hello', ...texts })
    const response = await bodyOf(client, entry)
    response.assertStatus(200)
    assert.deepEqual(response.body().data, {
      subject: 'Hello',
      text: 'Hello Ada',
      html: '<p>Hello Ada</p>',
      hidden: false,
    })
  })

  test('is hidden if it may quote a sensitive value', async ({ assert, client }) => {
    const { code: appCode } = await anApplication()
    const entry = await aNotification(uniqueEmail(), {
      appCode,
      subject: 'Your code',
      bodyText: 'It is 123456',
      bodyHtml: null,
      payload: { pin: '123456' },
      sensitiveVariables: ['pin'],
    })
    const response = await bodyOf(client, entry)
    assert.deepEqual(response.body().data, {
      subject: 'Your code',
      text: null,
      html: null,
      hidden: true,
    })
  })

  test('is null if none was recorded, and belongs to its application', async ({
    assert,
    client,
  }) => {
    const [own, other] = [await anApplication(), await anApplication()]
    const entry = await aNotification(uniqueEmail(), { appCode: own.code, inInbox: false })
    const response = await bodyOf(client, entry)
    assert.containSubset(response.body().data, { text: null, html: null, hidden: false })
    const foreign = await superAdmin(client).get(`${ADMIN}/${other.code}/${entry.id}/body`)
    foreign.assertProblem(404, 'NOTIFICATION_NOT_FOUND')
  })
})

test.group('The log of all applications', () => {
  test('has filters and pages, for global panel admins only', async ({ assert, client }) => {
    const [one, other] = [await anApplication(), await anApplication()]
    const email = uniqueEmail()
    const first = await aNotification(email, { appCode: one.code, status: 'failed' })
    const second = await aNotification(email, { appCode: other.code })
    const ids = async (query: string) => {
      const response = await superAdmin(client).get(`${ADMIN}?${query}`)
      response.assertStatus(200)
      return response.body().data.map(({ id }: { id: number }) => id)
    }
    assert.deepEqual(await ids(`recipientEmail=${email}`), [second.id, first.id])
    assert.deepEqual(await ids(`recipientEmail=${email}&status=failed`), [first.id])
    assert.deepEqual(await ids(`appCode=${one.code}`), [first.id])
    const [newest] = await ids('limit=1')
    assert.isAtLeast(newest, second.id)
    const admin = signedIn(client, await anAdministratorOf(one))
    const refused = await admin.get(ADMIN)
    refused.assertProblem(403, 'FORBIDDEN')
    for (const query of ['broadcastId=0', 'broadcastId=x', 'status=lost', 'cursor=x']) {
      const malformed = await superAdmin(client).get(`${ADMIN}?${query}`)
      malformed.assertProblem(400, 'VALIDATION_ERROR')
    }
    const [a, b] = [await superAdmin(client).get(`${ADMIN}?limit=1`), await ids('limit=2')]
    const next = /<([^>]+)>/.exec(String(a.header('link')))![1]
    const page = await superAdmin(client).get(next)
    assert.equal(page.body().data[0].id, b[1])
  })
})
