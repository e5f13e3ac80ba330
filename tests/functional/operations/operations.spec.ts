import { test } from '@japa/runner'
import { DateTime } from 'luxon'
import { usesPostgres } from '#core/database/dialect'
import { checkCounter } from '#app/checks/check_counter'
import { SUPER_ADMIN } from '#app/checks/values/decision'
import { ProcessReporter } from '#app/operations/actions/process_reporter'
import NotificationProvider from '#app/identity_provider/models/notification_provider'
import ProviderSigningKey from '#app/identity_provider/models/provider_signing_key'
import ProcessReport from '#app/operations/models/process_report'
import Webhook from '#app/webhooks/models/webhook'
import WebhookDelivery from '#app/webhooks/models/webhook_delivery'
import { withOwnServer } from '#tests/helpers/deliveries'
import { eventually } from '#tests/helpers/eventually'
import { TIMESTAMP } from '#tests/helpers/management'
import { findPendingSend, sendDurably } from '#tests/helpers/pending_sends'
import { aFailingWebhook } from '#tests/helpers/panel_webhooks'
import { anApplication, superAdmin, uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { sameDatabase } from '#tests/helpers/same_database'
import { startService } from '#tests/world/service'
import { TestSmtpServer } from '#tests/world/smtp_server'
import operationsConfig from '#config/operations'

const PATH = '/api/admin/operations'

interface ProcessItem {
  id: string
  pid: number
  state: string
  startedAt: string
}

const STATE = { memoryBytes: 1, cache: { hits: 30, misses: 10, size: 5 }, minutes: [] }

function aReport(fields: Partial<ProcessReport> = {}) {
  const now = DateTime.utc()
  return ProcessReport.create({
    processId: uniqueCode(),
    host: 'elsewhere',
    pid: 7,
    kind: 'service',
    version: '0.1.0',
    startedAt: now.minus({ hours: 2 }),
    seenAt: now,
    endedAt: null,
    state: STATE,
    ...fields,
  })
}

async function forget(...processIds: string[]) {
  await ProcessReport.query().whereIn('processId', processIds).delete()
}

test.group('The state of the service', () => {
  test('shows processes, queues, reachability, keys, caches and requests', async ({
    assert,
    client,
    cleanup,
  }) => {
    const reporter = new ProcessReporter('service')
    // A process reads the keys with the first token.
    await superAdmin(client).get(PATH)
    checkCounter.add(uniqueCode(), [SUPER_ADMIN])
    await reporter.report()
    cleanup(() => forget(reporter.processId))
    const response = await superAdmin(client).get(PATH)
    response.assertStatus(200)
    const { data } = response.body()
    assert.match(data.checkedAt, TIMESTAMP)
    assert.equal(data.version, operationsConfig.version)
    assert.equal(data.database.kind, usesPostgres() ? 'postgresql' : 'sqlite')
    assert.deepEqual(data.database.migrations.pending, [])
    assert.isAbove(data.database.migrations.applied, 20)
    const own = data.processes.find(({ id }: ProcessItem) => id === reporter.processId)
    assert.containSubset(own, { pid: process.pid, kind: 'service', state: 'running' })
    assert.isAbove(own.memoryBytes, 1_000_000)
    assert.match(own.tokenKeysReadAt, TIMESTAMP)
    assert.deepEqual(
      data.queues.map(({ name }: { name: string }) => name),
      ['sends', 'providerMails', 'broadcasts', 'webhookEvents']
    )
    assert.containSubset(data.smtp, { status: 'reachable', error: null })
    assert.containSubset(data.identityProvider, { status: 'reachable', error: null })
    const again = await superAdmin(client).get(PATH)
    assert.equal(again.body().data.smtp.checkedAt, data.smtp.checkedAt, 'remembered')
    assert.lengthOf(data.requests, 60)
    assert.equal(DateTime.fromISO(data.requests[0].minute).second, 0)

    await reporter.report()
    const later = await superAdmin(client).get(PATH)
    const { requests } = later.body().data
    const busy = requests.findLast((minute: { requests: number }) => minute.requests > 0)
    assert.isAbove(busy.p99, 0)
    assert.isAtLeast(busy.p99, busy.p50)
    const checks = requests.map((minute: { checks: number }) => minute.checks)
    assert.isAbove(Math.max(...checks), 0)
  })

  test('distinguishes lost processes from those that have ended', async ({
    assert,
    client,
    cleanup,
  }) => {
    const now = DateTime.utc()
    const minute = Math.floor(now.toMillis() / 60_000) - 30
    const counts = Array.from({ length: 14 }, (_, bucket) => (bucket === 3 ? 1_000_000 : 0))
    const state = { ...STATE, minutes: [{ minute, failed: 4, counts }] }
    const lost = await aReport({ seenAt: now.minus({ minutes: 5 }) })
    const ended = await aReport({ endedAt: now, state })
    const old = await aReport({ seenAt: now.minus({ minutes: 61 }) })
    cleanup(() => forget(lost.processId, ended.processId, old.processId))
    const response = await superAdmin(client).get(PATH)
    const { processes, requests } = response.body().data
    const stateOf = ({ processId }: ProcessReport) =>
      processes.find(({ id }: ProcessItem) => id === processId)?.state
    assert.equal(stateOf(lost), 'lost')
    assert.isUndefined(stateOf(ended))
    assert.isUndefined(stateOf(old))
    const at = DateTime.fromMillis(minute * 60_000, { zone: 'utc' })
      .toJSDate()
      .toISOString()
    const busy = requests.find((one: { minute: string }) => one.minute === at)
    assert.isAtLeast(busy.requests, 1_000_000)
    assert.isAtLeast(busy.failed, 4)
  })

  test('shows when the oldest send started to wait', async ({ assert, client, cleanup }) => {
    const email = uniqueEmail()
    const server = await new TestSmtpServer().start()
    cleanup(() => server.stop())
    await withOwnServer(email, server)
    server.react = () => 451
    const { id } = await sendDurably(client, email)
    const pending = (await findPendingSend(id))!
    const dueAt = DateTime.utc().minus({ days: 900 })
    await pending.merge({ dueAt }).save()
    cleanup(() => pending.delete())
    const response = await superAdmin(client).get(PATH)
    const [sends] = response.body().data.queues
    assert.isAtLeast(sends.waiting, 1)
    assert.equal(sends.oldestAt, dueAt.toJSDate().toISOString())
  })

  test('counts events that are due, but not those of webhooks that are switched off', async ({
    assert,
    client,
    cleanup,
  }) => {
    const webhookId = await aFailingWebhook((await anApplication()).code, 'text')
    const webhook = await Webhook.findOrFail(webhookId)
    cleanup(() => webhook.delete())
    const dueAt = DateTime.utc().minus({ days: 901 })
    const read = async () => {
      const response = await superAdmin(client).get(PATH)
      return response.body().data.queues.find((queue: any) => queue.name === 'webhookEvents')
    }
    const delivery = await WebhookDelivery.findByOrFail({ webhookId })
    await delivery.merge({ status: 'pending', dueAt }).save()
    const { waiting, oldestAt } = await read()
    assert.isAtLeast(waiting, 1)
    assert.equal(oldestAt, dueAt.toJSDate().toISOString())
    await webhook.merge({ enabled: false }).save()
    assert.notEqual((await read()).oldestAt, oldestAt)
  })

  test('reports why the mail server is unreachable and how old the keys are', async ({
    assert,
    client,
    cleanup,
  }) => {
    const lastHookCallAt = DateTime.utc().minus({ hours: 1 })
    const fields = { providerId: '1', endpoint: 'https://concierge.example', lastHookCallAt }
    const provider = await NotificationProvider.updateOrCreate(
      { id: NotificationProvider.ONLY_ID },
      fields
    )
    const key = await ProviderSigningKey.create({ signingKey: 'encrypted', acceptedUntil: null })
    cleanup(async () => {
      await provider.delete()
      await key.delete()
    })
    const service = await startService({ ...sameDatabase(), SMTP_PORT: '1' })
    cleanup(async () => void (await service.stop()))
    const response = await superAdmin(client).get(service.url + PATH)
    const { smtp, identityProvider, keys } = response.body().data
    assert.equal(smtp.status, 'unreachable')
    assert.match(smtp.error, /\S/)
    assert.equal(identityProvider.lastHookCallAt, lastHookCallAt.toJSDate().toISOString())
    assert.match(keys.providerSigningKeyAt, TIMESTAMP)
  }).timeout(60_000)

  test('keeps a limited number of reports', async ({ assert, cleanup }) => {
    const { maxReports } = operationsConfig
    const before = DateTime.utc().minus({ minutes: 10 })
    const rows = Array.from({ length: maxReports + 10 }, (_, index) => ({
      processId: uniqueCode(),
      host: 'restarting',
      pid: 7,
      kind: 'service' as const,
      version: '0.1.0',
      startedAt: before,
      endedAt: null,
      state: STATE,
      seenAt: before.plus({ milliseconds: index }),
    }))
    await ProcessReport.createMany(rows)
    cleanup(() => forget(...rows.map(({ processId }) => processId)))
    const old = await aReport({ seenAt: DateTime.utc().minus({ minutes: 70 }) })
    const reporter = new ProcessReporter('service')
    await reporter.report()
    cleanup(() => forget(reporter.processId))
    assert.isNull(await ProcessReport.find(old.id))
    const [{ $extras }] = await ProcessReport.query().count('* as total')
    assert.isAtMost(Number($extras.total), maxReports)
    assert.isNotNull(await ProcessReport.findBy('processId', reporter.processId))
  })

  test('includes each worker of other services, until it stops', async ({
    assert,
    client,
    cleanup,
  }) => {
    const before = DateTime.utc()
    const service = await startService({ ...sameDatabase(), WEB_CONCURRENCY: '2' }, 'bin/main.ts')
    let isRunning = true
    const stop = async () => {
      if (isRunning) await service.stop()
      isRunning = false
    }
    cleanup(stop)
    const workers = await eventually(
      'both workers have reported',
      async () => {
        const response = await superAdmin(client).get(PATH)
        const processes: ProcessItem[] = response.body().data.processes
        const found = processes.filter(
          ({ startedAt, state }) => DateTime.fromISO(startedAt) > before && state === 'running'
        )
        return found.length >= 2 && found
      },
      60_000
    )
    await stop()
    const ids = workers.map(({ id }) => id)
    const rows = await ProcessReport.query().whereIn('processId', ids)
    assert.isTrue(rows.every(({ endedAt }) => endedAt !== null))
  }).timeout(120_000)
})
