import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import { DateTime } from 'luxon'
import { finishPendingRounds } from '#app/delivery/actions/track_round'
import Delivery from '#app/delivery/models/delivery'
import IdempotencyKey from '#app/delivery/models/idempotency_key'
import PendingSend from '#app/delivery/models/pending_send'
import { PendingSendSource } from '#app/delivery/background/pending_send_source'
import type Application from '#app/applications/models/application'
import Notification from '#app/notifications/models/notification'
import { startAce } from '#tests/helpers/ace'
import { postInternalNotification, notificationRecordOf } from '#tests/helpers/deliveries'
import { eventually } from '#tests/helpers/eventually'
import {
  TEXT,
  runNextRound,
  makeDue,
  findPendingSend,
  sendDurably,
  processDueSends,
  refusedPerson,
  takes,
  type Cleanup,
} from '#tests/helpers/pending_sends'
import { anApplication, uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { sameDatabase } from '#tests/helpers/same_database'
import { INTERNAL_KEY, smtp } from '#tests/world/prepare'
import { type RunningService, type ServiceSettings, startService } from '#tests/world/service'
import type { TestSmtpServer } from '#tests/world/smtp_server'

/** Sends the same durable notification many times in one bulk, and returns the ids. */
async function sendManyTo(
  client: ApiClient,
  recipients: string | string[],
  count: number,
  application?: Application
) {
  const { code: appCode } = application ?? (await anApplication())
  const emails = [recipients].flat()
  const notifications = Array.from({ length: count }, (_, index) => {
    const recipientEmail = emails[index % emails.length]
    return { recipientEmail, appCode, type: 'generic', data: TEXT, retryHours: 1 }
  })
  const response = await postInternalNotification(client, '/bulk', { notifications })
  return response.body().data.map(({ id }: { id: number }) => id) as number[]
}

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

/** Until the send to the other one has arrived. Both are refused when they are sent first. */
async function waitForOther(
  client: ApiClient,
  cleanup: Cleanup,
  { recipients, application }: { recipients: string[]; application?: Application },
  react: TestSmtpServer['react']
) {
  const other = uniqueEmail()
  smtp.react = (stage) => (stage === 'RCPT' ? 451 : undefined)
  cleanup(async () => void (smtp.react = () => undefined))
  const ids = await sendManyTo(client, recipients, 60, application)
  const [id] = await sendManyTo(client, other, 1, application)
  smtp.react = react
  await makeDue(...ids)
  await PendingSend.query()
    .where('notificationId', id)
    .update({ due_at: DateTime.utc().minus({ seconds: 1 }).toISO() })
  const source = new PendingSendSource()
  await eventually('the other mail is sent', async () => {
    await processDueSends(source)
    return smtp.mailsTo(other).length === 1
  })
  const sent = recipients.flatMap((email) => smtp.mailsTo(email))
  await finishPendingRounds()
  const tried = await PendingSend.query().whereIn('notificationId', ids).where('rounds', '>', 1)
  await PendingSend.query().whereIn('notificationId', ids).delete()
  return { sent, tried }
}

test.group('An application whose mails are refused for now', () => {
  test('does not hold up those that others send with the same account', async ({
    assert,
    client,
    cleanup,
  }) => {
    const recipients = Array.from({ length: 6 }, () => uniqueEmail())
    const { tried } = await waitForOther(client, cleanup, { recipients }, (stage, address) =>
      stage === 'RCPT' && recipients.includes(address ?? '') ? 451 : undefined
    )
    assert.isAtMost(tried.length, 20, 'the account is paused for the application')
  })
})

test.group('A recipient whose mailbox', () => {
  test('refuses mails for now does not hold up those to others', async ({ client, cleanup }) => {
    const recipients = [uniqueEmail()]
    const application = await anApplication()
    await waitForOther(client, cleanup, { recipients, application }, (stage, address) =>
      stage === 'RCPT' && recipients.includes(address ?? '') ? 451 : undefined
    )
  })

  test('is slow does not hold up mails to others', async ({ assert, client, cleanup }) => {
    const recipients = [uniqueEmail()]
    const application = await anApplication()
    const { sent } = await waitForOther(
      client,
      cleanup,
      { recipients, application },
      (stage, address) =>
        stage === 'RCPT' && recipients.includes(address ?? '') ? pause(1_500) : undefined
    )
    assert.isAtMost(sent.length, 10)
  })
})

test.group('A process that is killed', () => {
  async function started(cleanup: Cleanup, settings: ServiceSettings = {}) {
    const service = await startService({ ...sameDatabase(), ...settings })
    cleanup(async () => void (await service.stop()))
    return service
  }

  /** Sends to one user through a separate service. */
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

  test('leaves its durable sends to the next one, which retries when they are due', async ({
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
    const { dueAt } = (await findPendingSend(id))!
    assert.isBelow(dueAt.diffNow().as('seconds'), 60)
    await makeDue(id)
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

  test('has stored the send, which a repeated request with the same key returns', async ({
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
})
