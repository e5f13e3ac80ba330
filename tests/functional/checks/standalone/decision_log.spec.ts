import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { aShop } from '#tests/functional/checks/shop'
import { eventually } from '#tests/helpers/eventually'
import { metricOf } from '#tests/helpers/metrics'
import { uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { sameDatabase } from '#tests/helpers/same_database'
import { type RunningService, startService } from '#tests/world/service'

const LOST = 'concierge_decision_log_lost_total'

test.group('The decision log', (group) => {
  const folder = mkdtempSync(join(tmpdir(), 'concierge-decisions-'))
  group.teardown(() => rmSync(folder, { recursive: true }))

  /** A service that logs decisions, and what it has logged. */
  async function aLog(settings: Record<string, string>) {
    const file = join(folder, uniqueCode(), 'decisions.log')
    const service = await startService({
      ...sameDatabase(),
      DECISION_LOG_TARGET: file,
      ...settings,
    })
    return { service, lines: () => linesOf(service, file) }
  }

  async function linesOf(service: RunningService, file: string) {
    await service.stop()
    const text = await readFile(file, 'utf8').catch(() => '')
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
  }

  async function ask(
    { url }: RunningService,
    path: string,
    body: object,
    headers: Record<string, string> = {}
  ) {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    return (await response.json()) as { data: Record<string, boolean> }
  }

  test('has a line for each decision, with what decided it', async ({ assert, client }) => {
    const { app, email, shop } = await aShop(client)
    await shop.entity({ code: 'order' })
    const { service, lines } = await aLog({ DECISION_LOG: 'all' })
    const question = { email, app, permission: 'orders', level: 'view' }
    await ask(service, '/api/check', question, { 'x-request-id': 'first' })
    await ask(service, '/api/check', question)
    const onOrder = { email, app, resourceType: 'order', resourceId: '1' }
    await ask(service, '/api/check/bulk', { ...onOrder, permissions: ['export', 'orders'] })
    await ask(service, `/api/authzen/${app}/access/v1/evaluation`, {
      subject: { type: 'user', id: email },
      action: { name: 'orders' },
      resource: { type: 'order', id: '2' },
    })
    const logged = await lines()
    const byRole = { allowed: true, accessLevel: 'view', source: 'role', rule: 5 }
    assert.containSubset(logged, [
      {
        event: 'decision',
        subject: email,
        application: app,
        permission: 'orders',
        level: 'view',
        resourceType: null,
        resourceId: null,
        ...byRole,
        cached: false,
        requestId: 'first',
      },
      { permission: 'orders', ...byRole, cached: true },
      {
        permission: 'export',
        resourceType: 'order',
        resourceId: '1',
        level: null,
        allowed: false,
        accessLevel: null,
        source: null,
        rule: 4,
        cached: false,
      },
      { permission: 'orders', resourceId: '1', allowed: true, source: 'override', rule: 4 },
      { permission: 'orders', resourceType: 'order', resourceId: '2', ...byRole },
    ])
    assert.lengthOf(logged, 5)
    for (const { time, durationMs, instance } of logged) {
      assert.match(time, /^\d{4}-.*Z$/)
      assert.isNumber(durationMs)
      assert.match(instance, new RegExp(`:${service.process.pid}$`))
    }
  })

  test('has denials of unknown AuthZEN subjects and types', async ({ assert, client }) => {
    const { app, email, shop } = await aShop(client)
    await shop.entity({ code: 'order' })
    const { service, lines } = await aLog({ DECISION_LOG: 'denied' })
    const [user, order] = [
      { type: 'user', id: email },
      { type: 'order', id: '1' },
    ]
    const removed = { type: 'user', id: uniqueCode('removed') }
    const action = { name: 'orders' }
    const at = `/api/authzen/${app}/access/v1`
    await ask(service, `${at}/evaluation`, { subject: removed, action, resource: order })
    const evaluations = [
      { subject: removed, resource: order },
      { subject: { ...user, type: 'group' }, resource: order },
      { subject: user, resource: { ...order, type: 'invoice' } },
    ]
    await ask(service, `${at}/evaluations`, { action, evaluations })
    const denial = { application: app, permission: 'orders', allowed: false, rule: null }
    assert.containSubset(await lines(), [
      { ...denial, subject: removed.id, resourceType: 'order', resourceId: '1' },
      { ...denial, subject: removed.id },
      { ...denial, subject: email, resourceType: 'order' },
      { ...denial, subject: email, resourceType: 'invoice' },
    ])
  })

  test('has short lines, though each character of a value is escaped', async ({
    assert,
    client,
  }) => {
    const { app, email } = await aShop(client)
    const { service, lines } = await aLog({ DECISION_LOG: 'all' })
    const value = '\u0001'.repeat(255)
    const question = { email, app: value, resourceType: value, resourceId: value }
    await ask(service, '/api/check', { ...question, permission: value })
    await ask(service, '/api/check', { email, app, permission: 'orders' })
    const [long, short] = await lines()
    assert.isAtMost(JSON.stringify(long).length, 4_095)
    const shown = `${'\u0001'.repeat(80)}…`
    assert.containSubset(long, { subject: email, permission: shown, resourceId: shown })
    assert.equal(short.permission, 'orders')
  })

  test('can be limited to denials, with digests instead of addresses', async ({
    assert,
    client,
  }) => {
    const { app, email } = await aShop(client)
    const { service, lines } = await aLog({ DECISION_LOG: 'denied', DECISION_LOG_MASK: 'email' })
    const stranger = uniqueEmail()
    for (const one of [email, stranger, stranger]) {
      await ask(service, '/api/check', { email: one, app, permission: 'orders' })
    }
    const logged = await lines()
    assert.lengthOf(logged, 2)
    assert.equal(logged[0].subject, logged[1].subject)
    assert.notInclude(JSON.stringify(logged), stranger)
    assert.isFalse(logged[0].allowed)
  })

  for (const [share, expected] of [
    ['0', 0],
    ['1', 3],
  ] as const) {
    test(`with sample:${share} has ${expected} of 3 decisions`, async ({ assert, client }) => {
      const { app, email } = await aShop(client)
      const { service, lines } = await aLog({ DECISION_LOG: `sample:${share}` })
      for (let index = 0; index < 3; index++) {
        await ask(service, '/api/check', { email, app, permission: 'orders' })
      }
      assert.lengthOf(await lines(), expected)
    })
  }

  test('goes to standard output', async ({ assert, client }) => {
    const { app, email } = await aShop(client)
    const { service } = await aLog({ DECISION_LOG: 'all', DECISION_LOG_TARGET: 'stdout' })
    await ask(service, '/api/check', { email, app, permission: 'orders' })
    await service.stop()
    assert.match(service.output(), new RegExp(`"event":"decision","subject":"${email}"`))
  })

  test('on a full disk loses lines, which a metric counts, and no answers', async ({
    assert,
    client,
  }) => {
    const { app, email } = await aShop(client)
    const target = { DECISION_LOG: 'all', DECISION_LOG_TARGET: '/dev/full' }
    const full = { ...target, LOG_LEVEL: 'error' }
    const { service } = await aLog(full)
    const permissions = Array.from({ length: 100 }, (_, index) => `unknown-${index}`)
    const body = { email, app, permissions: [...permissions.slice(1), 'orders'] }
    const fill = async () => {
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => ask(service, '/api/check/bulk', body))
      )
      for (const { data } of answers) assert.isTrue(data.orders)
      return (await metricOf(service.url, LOST)) > 0
    }
    await eventually('lines are lost', fill, 60_000)
    const { data } = await ask(service, '/api/check', { email, app, permission: 'orders' })
    assert.isTrue(data.allowed)
    assert.equal(await service.stop(), 0)
    const warnings = service.output().match(/The decision log could not be written/g)
    assert.lengthOf(warnings ?? [], 1)
  }).timeout(120_000)

  test('is refused with another selection', async ({ assert }) => {
    for (const selection of ['some', 'sample:2', 'sample:', 'sample:-1']) {
      const starting = aLog({ DECISION_LOG: selection })
      await assert.rejects(() => starting, /DECISION_LOG must be/)
    }
  })
})
