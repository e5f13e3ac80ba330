import { once } from 'node:events'
import type { ApiClient } from '@japa/api-client'
import type { Assert } from '@japa/assert'
import { test } from '@japa/runner'
import { DateTime } from 'luxon'
import { deleteApplication } from '#app/applications/actions/delete_application'
import { claimPending } from '#app/delivery/background/claim_pending'
import { finishPendingRounds } from '#app/delivery/actions/track_round'
import Delivery from '#app/delivery/models/delivery'
import IdempotencyKey from '#app/delivery/models/idempotency_key'
import PendingSend from '#app/delivery/models/pending_send'
import { PendingSendSource } from '#app/delivery/background/pending_send_source'
import type { SendResult } from '#app/delivery/values/notification_request'
import Notification from '#app/notifications/models/notification'
import NotificationType from '#app/notifications/models/notification_type'
import User from '#app/profiles/models/user'
import { startAce } from '#tests/helpers/ace'
import { storedSmtp } from '#tests/helpers/brand_mail'
import {
  aType,
  postInternalNotification,
  notificationRecordOf,
  sendNotification,
  subscribe,
  withOwnServer,
} from '#tests/helpers/deliveries'
import { eventually } from '#tests/helpers/eventually'
import {
  TEXT,
  runNextRound,
  makeDue,
  findPendingSend,
  sendDurably,
  processDueSends,
} from '#tests/helpers/pending_sends'
import { anApplication, signedIn, uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { startupFailure } from '#tests/helpers/startup_failure'
import { sameDatabase } from '#tests/helpers/same_database'
import { freePort } from '#tests/world/free_port'
import { INTERNAL_KEY } from '#tests/world/prepare'
import { PushService } from '#tests/world/push_service'
import { type RunningService, type ServiceSettings, startService } from '#tests/world/service'
import { TestSmtpServer } from '#tests/world/smtp_server'

type Cleanup = (callback: () => Promise<void>) => void

/** A person with their own mail server, which rejects mails temporarily. */
async function refusedPerson(cleanup: Cleanup) {
  const server = await new TestSmtpServer().start()
  cleanup(() => server.stop())
  server.react = (stage) => (stage === 'RCPT' ? 451 : undefined)
  const email = uniqueEmail()
  const brand = await withOwnServer(email, server, { emailFrom: 'mail@acme.example' })
  return { server, email, brand }
}

const takes = (server: TestSmtpServer) => (server.react = () => undefined)

/** Expects one more round to end the send as failed, without a mail. */
async function assertEnds(
  assert: Assert,
  result: SendResult,
  server: TestSmtpServer,
  reason: RegExp
) {
  const { status, statusReason } = await runNextRound(result)
  assert.equal(status, 'failed')
  assert.match(statusReason!, reason)
  assert.isEmpty(server.mails)
  assert.isNull(await findPendingSend(result.id))
}

/** Sends the same durable notification many times in one bulk, and returns the ids. */
async function sendManyTo(client: ApiClient, recipientEmail: string, count: number) {
  const { code: appCode } = await anApplication()
  const item = { recipientEmail, appCode, type: 'generic', data: TEXT, retryHours: 1 }
  const notifications = Array.from({ length: count }, () => item)
  const response = await postInternalNotification(client, '/bulk', { notifications })
  return response.body().data.map(({ id }: { id: number }) => id) as number[]
}

test.group('A durable send', () => {
  test('that fails temporarily is retried with the same Message-ID until it succeeds', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { server, email, brand } = await refusedPerson(cleanup)
    const before = DateTime.utc()
    const result = await sendDurably(client, email, { retryHours: 2 })
    assert.equal(result.status, 'failed')
    assert.match(result.statusReason!, /^SMTP_ERROR: 451/)
    const retryUntil = DateTime.fromISO(result.retryUntil!)
    assert.match(result.retryUntil!, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.closeTo(retryUntil.diff(before).as('hours'), 2, 0.01)
    const pending = await findPendingSend(result.id)
    assert.isBelow(pending!.dueAt.diff(before).as('seconds'), 60, 'the first retry')

    const again = await runNextRound(result)
    assert.containSubset(again, { status: 'failed', statusReason: result.statusReason })
    takes(server)
    await brand.merge({ emailFrom: 'mail@another.example' }).save()
    const last = await runNextRound(result)
    assert.containSubset(last, { status: 'sent', statusReason: null })
    const { deliveries } = await notificationRecordOf(result.id)
    const [mail] = server.mailsTo(email)
    assert.lengthOf(server.mailsTo(email), 1)
    assert.deepEqual(deliveries, [
      {
        channel: 'email',
        status: 'sent',
        attempts: 7,
        error: null,
        providerMessageId: mail.parsed.messageId!,
      },
    ])
    assert.match(mail.parsed.messageId!, /@acme\.example>$/)
    assert.include(mail.parsed.text, TEXT.body)
    assert.isNull(await findPendingSend(result.id))
  })

  test('is not stored any more once it succeeds or is rejected permanently', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { server, email } = await refusedPerson(cleanup)
    takes(server)
    const sent = await sendDurably(client, email)
    assert.deepEqual(sent, { id: sent.id, status: 'sent', statusReason: null })
    server.react = (stage) => (stage === 'RCPT' ? 550 : undefined)
    const refused = await sendDurably(client, email)
    assert.equal(refused.status, 'failed')
    assert.notProperty(refused, 'retryUntil')
    for (const { id } of [sent, refused]) assert.isNull(await findPendingSend(id))
  })

  test('is stored only if the request contains it', async ({ assert, client, cleanup }) => {
    const { email } = await refusedPerson(cleanup)
    for (const retryHours of [undefined, 0]) {
      const result = await sendDurably(client, email, { retryHours })
      assert.equal(result.status, 'failed')
      assert.notProperty(result, 'retryUntil')
      assert.isNull(await findPendingSend(result.id))
    }
  })

  test('is retried when the server is unreachable', async ({ assert, client, cleanup }) => {
    const { server, email, brand } = await refusedPerson(cleanup)
    await brand.merge({ smtp: storedSmtp(await freePort()) }).save()
    const result = await sendDurably(client, email)
    assert.property(result, 'retryUntil')
    takes(server)
    await brand.merge({ smtp: storedSmtp(server.port) }).save()
    assert.equal((await runNextRound(result)).status, 'sent')
  })

  test('accepts whole hours up to 72 only', async ({ client }) => {
    const { code: appCode } = await anApplication()
    for (const retryHours of [-1, 73, 1.5, '1']) {
      const request = { recipientEmail: uniqueEmail(), appCode, type: 'generic', data: TEXT }
      const response = await sendNotification(client, { ...request, retryHours })
      response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'retryHours' }] })
    }
  })

  test('can be an item of a bulk request', async ({ assert, client, cleanup }) => {
    const { server, email } = await refusedPerson(cleanup)
    const { code: appCode } = await anApplication()
    const item = { recipientEmail: email, appCode, type: 'generic', data: TEXT }
    const response = await postInternalNotification(client, '/bulk', {
      notifications: [{ ...item, retryHours: 1 }, item, { ...item, retryHours: 72 }],
    })
    const results = response.body().data
    assert.deepEqual(
      results.map(({ retryUntil }: { retryUntil?: string }) => retryUntil !== undefined),
      [true, false, true]
    )
    takes(server)
    assert.equal((await runNextRound(results[0])).status, 'sent')
    assert.equal((await runNextRound(results[2])).status, 'sent')
    assert.lengthOf(server.mailsTo(email), 2)
  })

  test('returns the first response to a repeated request', async ({ assert, client, cleanup }) => {
    const { server, email } = await refusedPerson(cleanup)
    const { code: appCode } = await anApplication()
    const headers = { 'idempotency-key': uniqueCode() }
    const first = await sendDurably(client, email, { appCode }, headers)
    takes(server)
    await runNextRound(first)
    assert.deepEqual(await sendDurably(client, email, { appCode }, headers), first)
    assert.lengthOf(server.mailsTo(email), 1)
  })

  test('fails without another attempt after the retry period', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { server, email } = await refusedPerson(cleanup)
    const result = await sendDurably(client, email)
    const pending = await findPendingSend(result.id)
    await pending!.merge({ giveUpAt: DateTime.utc().minus({ minutes: 2 }) }).save()
    takes(server)
    await assertEnds(assert, result, server, /^SMTP_ERROR: the retry period ended/)
  })

  test('keeps its content encrypted while it waits', async ({ assert, client, cleanup }) => {
    const { email } = await refusedPerson(cleanup)
    const { id } = await sendDurably(client, email)
    const { content } = (await findPendingSend(id))!
    assert.notInclude(content, TEXT.body)
    assert.notInclude(Buffer.from(content, 'base64').toString(), TEXT.body)
  })

  test('fails if it can no longer be decrypted', async ({ assert, client, cleanup }) => {
    const { server, email } = await refusedPerson(cleanup)
    const result = await sendDurably(client, email)
    await (await findPendingSend(result.id))!.merge({ content: 'of.another.key' }).save()
    await assertEnds(assert, result, server, /cannot be decrypted with the current APP_KEY$/)
  })

  test('ends when several processes died while they sent it', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { server, email } = await refusedPerson(cleanup)
    const result = await sendDurably(client, email)
    // Each claim is by a process that dies.
    for (let time = 0; time < 3; time++) {
      await makeDue(result.id)
      const [claimed] = await claimPending({ exceptAccounts: [], limit: 100 })
      assert.equal(claimed.notificationId, result.id)
    }
    takes(server)
    await assertEnds(assert, result, server, /^SMTP_ERROR: several processes ended while/)
  })

  test('does not end when processes die now and then', async ({ assert, client, cleanup }) => {
    const { email } = await refusedPerson(cleanup)
    const result = await sendDurably(client, email)
    for (let time = 0; time < 5; time++) {
      await makeDue(result.id)
      await claimPending({ exceptAccounts: [], limit: 100 })
      assert.equal((await runNextRound(result)).status, 'failed')
    }
    assert.isNotNull(await findPendingSend(result.id))
  })
})

test.group('A durable send after a change of its recipient or type', () => {
  test('does not reach a person who {change}')
    .with([
      { change: 'was deactivated', reason: /^NOTIFICATIONS_DISABLED: the person is deactivated$/ },
      { change: 'switched the application off', reason: /^NOTIFICATIONS_DISABLED$/ },
      { change: 'switched the type off', reason: /^NO_CHANNEL$/ },
      { change: 'was deleted', reason: /^SMTP_ERROR: the person was deleted$/ },
      { change: 'has a send of a type that was switched off', reason: /^NO_CHANNEL$/ },
      { change: 'has a send of a deleted type', reason: /type was deleted$/ },
      {
        change: 'has a send of a deleted application',
        reason: /application or notification type was deleted$/,
      },
    ])
    .run(async ({ assert, client, cleanup }, { change, reason }) => {
      const { server, email } = await refusedPerson(cleanup)
      const application = await anApplication()
      const type = await aType(application)
      const result = await sendDurably(client, email, {
        appCode: application.code,
        type: type.code,
      })
      const person = signedIn(client, email)
      let response
      switch (change) {
        case 'was deactivated':
          await User.query().where('email', email).update({ active: false })
          break
        case 'switched the application off':
          response = await person.put(`/api/profile/me/apps/${application.code}`, {
            notificationsEnabled: false,
          })
          response.assertStatus(200)
          break
        case 'switched the type off':
          response = await person.put('/api/profile/me/notifications/preferences/bulk', {
            updates: [{ notificationTypeId: type.id, email: false }],
          })
          response.assertStatus(200)
          break
        case 'was deleted':
          await User.query().where('email', email).delete()
          break
        case 'has a send of a type that was switched off':
          await type.merge({ emailEnabled: false }).save()
          break
        case 'has a send of a deleted type':
          await NotificationType.query().where('id', type.id).delete()
          break
        default:
          await deleteApplication(application.code)
      }
      takes(server)
      await assertEnds(assert, result, server, reason)
      if (change === 'was deleted') assert.isNull(await User.findBy({ email }))
    })
})

test.group('A durable push', (group) => {
  let service: PushService

  group.setup(async () => {
    service = await new PushService().start()
    return () => service.stop()
  })

  test('is retried after a {status} response until it is accepted')
    .with([{ status: 429 }, { status: 500 }, { status: 503 }])
    .run(async ({ assert, client }, { status }) => {
      const email = uniqueEmail()
      const application = await anApplication()
      const type = await aType(application, { emailEnabled: false })
      const browser = service.newBrowser()
      await subscribe(email, browser)
      browser.response = status
      const result = await sendDurably(client, email, {
        appCode: application.code,
        type: type.code,
        data: { ...TEXT, url: 'https://shop.example/orders/7' },
      })
      assert.equal(result.status, 'failed')
      assert.property(result, 'retryUntil')
      browser.response = 201
      assert.containSubset(await runNextRound(result), { status: 'sent', statusReason: null })
      assert.lengthOf(browser.messages, 1)
      const { payload } = browser.messages[0]
      assert.containSubset(payload, { title: 'Hello', url: 'https://shop.example/orders/7' })
    })

  test('ends when no subscription remains', async ({ assert, client }) => {
    const email = uniqueEmail()
    const application = await anApplication()
    const type = await aType(application, { emailEnabled: false })
    const browser = service.newBrowser()
    const row = await subscribe(email, browser)
    browser.response = 503
    const fields = { appCode: application.code, type: type.code }
    const result = await sendDurably(client, email, fields)
    await row.delete()
    assert.containSubset(await runNextRound(result), {
      status: 'failed',
      statusReason: 'NO_CHANNEL',
    })

    await subscribe(email, service.newBrowser())
    const gone = service.newBrowser()
    gone.response = 400
    const other = uniqueEmail()
    await subscribe(other, gone)
    assert.notProperty(await sendDurably(client, other, fields), 'retryUntil')
  })

  test('is retried alone if the mail is rejected permanently', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { server, email } = await refusedPerson(cleanup)
    server.react = (stage) => (stage === 'RCPT' ? 550 : undefined)
    const browser = service.newBrowser()
    await subscribe(email, browser)
    browser.response = 503
    const result = await sendDurably(client, email)
    assert.property(result, 'retryUntil')
    const asked = server.connections
    browser.response = 201
    assert.equal((await runNextRound(result)).status, 'sent')
    assert.equal(server.connections, asked)
    const { deliveries } = await notificationRecordOf(result.id)
    assert.deepEqual(
      deliveries.map(({ channel, status, attempts }) => [channel, status, attempts]),
      [
        ['email', 'failed', 1],
        ['push', 'sent', 2],
      ]
    )
  })
})

test.group('Slow mail servers', () => {
  test('receive a mail once, however long they process it', async ({ assert, client, cleanup }) => {
    const { server, email } = await refusedPerson(cleanup)
    takes(server)
    server.delayMs = 6_500
    const result = await sendDurably(client, email, { retryHours: 0 })
    assert.equal(result.status, 'sent')
    assert.lengthOf(server.mailsTo(email), 1)
  }).timeout(30_000)

  test('receive a durable mail once, even if the request ends first', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { server, email } = await refusedPerson(cleanup)
    takes(server)
    server.delayMs = 12_000
    const result = await sendDurably(client, email)
    assert.equal(result.status, 'failed')
    assert.equal(result.statusReason, 'SMTP_ERROR: the delivery did not finish')
    assert.property(result, 'retryUntil')
    await finishPendingRounds()
    assert.containSubset(await Notification.findOrFail(result.id), { status: 'sent' })
    assert.lengthOf(server.mailsTo(email), 1)
    assert.isNull(await findPendingSend(result.id))
  }).timeout(40_000)
})

test.group('Several processes', () => {
  test('send each waiting mail once', async ({ assert, client, cleanup }) => {
    const { server, email } = await refusedPerson(cleanup)
    const ids = await sendManyTo(client, email, 40)
    takes(server)
    await makeDue(...ids)
    const sources = Array.from({ length: 4 }, () => new PendingSendSource())
    await eventually('all are done', async () => {
      await Promise.all(sources.map((source) => processDueSends(source)))
      return (await PendingSend.query().whereIn('notificationId', ids).first()) === null
    })
    await finishPendingRounds()
    const messageIds = server.mailsTo(email).map(({ parsed }) => parsed.messageId)
    assert.lengthOf(messageIds, 40)
    assert.equal(new Set(messageIds).size, 40)
    const deliveries = await Delivery.query().whereIn('notificationId', ids)
    assert.lengthOf(deliveries, 40)
  })

  test('are not blocked by a server that hangs', async ({ assert, client, cleanup }) => {
    const dead = await refusedPerson(cleanup)
    const alive = await refusedPerson(cleanup)
    const ids = await sendManyTo(client, dead.email, 60)
    const result = await sendDurably(client, alive.email)
    dead.server.react = () => 'stall'
    takes(alive.server)
    await makeDue(...ids)
    await PendingSend.query()
      .where('notificationId', result.id)
      .update({ due_at: DateTime.utc().minus({ seconds: 1 }).toISO() })
    const source = new PendingSendSource()
    await processDueSends(source)
    await eventually('the other mail is sent', () => alive.server.mails.length === 1)
    const untouched = await PendingSend.query()
      .whereIn('notificationId', ids)
      .where('dueAt', '<', DateTime.utc().minus({ years: 1 }).toISO())
      .count('* as rows')
    assert.isAtLeast(Number(untouched[0].$extras.rows), 40, 'left for later')
    dead.server.cut()
    takes(dead.server)
    await finishPendingRounds()
    await PendingSend.query().whereIn('notificationId', ids).delete()
  }).timeout(90_000)
})

test.group('A process that is killed', () => {
  async function started(cleanup: Cleanup, settings: ServiceSettings = {}) {
    const service = await startService({ ...sameDatabase(), ...settings })
    cleanup(async () => void (await service.stop()))
    return service
  }

  /** Sends to one person through a separate service. */
  async function post(
    { url }: RunningService,
    recipientEmail: string,
    fields: object = {},
    headers: object = {}
  ) {
    const { code: appCode } = await anApplication()
    const response = await fetch(`${url}/api/internal/notifications`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-internal-api-key': INTERNAL_KEY,
        ...headers,
      },
      body: JSON.stringify({ recipientEmail, appCode, type: 'generic', data: TEXT, ...fields }),
    })
    const { data } = (await response.json()) as { data: { id: number; retryUntil?: string } }
    return data
  }

  const storedIdOf = (email: string) =>
    eventually('the send is stored', async () => (await Notification.findBy({ email }))?.id)

  async function killed(service: RunningService) {
    service.process.kill('SIGKILL')
    await once(service.process, 'exit')
  }

  test('leaves its durable sends to the next one, which retries within a minute', async ({
    assert,
    cleanup,
  }) => {
    const { server, email } = await refusedPerson(cleanup)
    const first = await started(cleanup, { SEND_RETRY_HOURS: '3' })
    const { id, retryUntil } = await post(first, email)
    assert.closeTo(DateTime.fromISO(retryUntil!).diffNow().as('hours'), 3, 0.01)
    assert.notProperty(await post(first, email, { retryHours: 0 }), 'retryUntil')
    await killed(first)
    takes(server)
    await started(cleanup)
    await eventually('the mail is sent', () => server.mailsTo(email).length === 1, 60_000)
    await eventually('the log says so', async () => {
      const { status, statusReason } = await Notification.findOrFail(id)
      return status === 'sent' && statusReason === null
    })
    const { deliveries } = await notificationRecordOf(id)
    assert.equal(deliveries[0].providerMessageId, server.mails[0].parsed.messageId)
    assert.lengthOf(server.mailsTo(email), 1)
  }).timeout(120_000)

  test('during a send leaves it to queue:work, which sends it once', async ({
    assert,
    cleanup,
  }) => {
    const { server, email } = await refusedPerson(cleanup)
    server.react = (stage) => (stage === 'CONNECT' ? 'stall' : undefined)
    const service = await started(cleanup, { QUEUE_IN_SERVICE: 'false' })
    const response = post(service, email, { retryHours: 1 }).catch(() => null)
    const id = await storedIdOf(email)
    await killed(service)
    assert.isNull(await response)
    takes(server)
    assert.isNotNull(await findPendingSend(id))
    await makeDue(id)
    const worker = startAce(['queue:work'])
    cleanup(async () => void worker.child.kill('SIGKILL'))
    await eventually(
      'the mail is sent',
      async () => {
        return (await Notification.findOrFail(id)).status === 'sent'
      },
      30_000
    )
    worker.child.kill('SIGTERM')
    assert.equal((await worker.finished).code, 0)
    assert.lengthOf(server.mailsTo(email), 1)
  }).timeout(90_000)

  test('had stored the send, which a repeated request with the same key returns', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { server, email } = await refusedPerson(cleanup)
    server.react = (stage) => (stage === 'CONNECT' ? 'stall' : undefined)
    const service = await started(cleanup, { QUEUE_IN_SERVICE: 'false' })
    const { code: appCode } = await anApplication()
    const headers = { 'idempotency-key': uniqueCode() }
    const repeat = () => sendDurably(client, email, { appCode }, headers)
    // Same order as in `repeat`, because the bodies must be equal.
    const first = post(service, email, { appCode, retryHours: 1 }, headers).catch(() => null)
    const id = await storedIdOf(email)
    await killed(service)
    assert.isNull(await first)
    takes(server)
    await IdempotencyKey.query()
      .where('notificationId', id)
      .update({ created_at: DateTime.utc().minus({ minutes: 2 }).toISO() })

    const result = await repeat()
    assert.containSubset(result, { id, status: 'failed' })
    assert.property(result, 'retryUntil')
    assert.equal((await runNextRound(result)).status, 'sent')
    assert.deepEqual(await repeat(), result)
    assert.lengthOf(server.mailsTo(email), 1)
  }).timeout(60_000)

  test('rejects invalid settings', async ({ assert }) => {
    for (const SEND_RETRY_HOURS of ['73', '-1', '1.5']) {
      const refusal = await startupFailure({ SEND_RETRY_HOURS })
      assert.match(refusal, /SEND_RETRY_HOURS must be a whole number from 0 to 72/)
    }
  })
})
