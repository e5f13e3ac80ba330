import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { DateTime } from 'luxon'
import { transaction } from '#core/database/transaction'
import { CheckCounter } from '#app/checks/check_counter'
import { storeCheckCounts } from '#app/checks/actions/store_check_counts'
import { checkSweeps } from '#app/checks/retention'
import { NOTHING_GRANTS } from '#app/checks/values/decision'
import type Application from '#app/applications/models/application'
import { ProcessReporter } from '#app/operations/actions/process_reporter'
import ProcessReport from '#app/operations/models/process_report'
import { ORDER_1, aShop } from '#tests/functional/checks/shop'
import { recordStatements } from '#tests/helpers/count_statements'
import { allowed } from '#tests/helpers/management'
import { anApplication, signedIn, superAdmin, uniqueCode } from '#tests/helpers/people'
import { refuseWrites } from '#tests/helpers/refuse_writes'
import { sameDatabase } from '#tests/helpers/same_database'
import { startService } from '#tests/world/service'

const MAY = Date.UTC(2030, 4, 7)

/** The stored count of each day. */
async function countsOf({ id }: Application) {
  const rows = await db.from('check_counts').where('application_id', id).orderBy('day')
  return rows.map(({ count }) => Number(count))
}

function counterOf(checks: Record<string, number>) {
  const counter = new CheckCounter()
  for (const [code, count] of Object.entries(checks)) {
    counter.add(code, Array<typeof NOTHING_GRANTS>(count).fill(NOTHING_GRANTS), MAY)
  }
  return counter
}

test.group('Counted checks', () => {
  test('are those of defined permissions, cached ones and each of a bulk check', async ({
    client,
    assert,
    cleanup,
  }) => {
    const { application, app, email } = await aShop(client)
    const clerk = signedIn(client, email)
    for (let times = 0; times < 3; times++) {
      await allowed(client, { email, app, permission: 'orders' })
    }
    await allowed(client, { email, app, permission: 'undefined' })
    await allowed(client, { email, app: uniqueCode(), permission: 'orders' })
    const bulk = { app, permissions: ['orders', 'export', 'undefined'], ...ORDER_1 }
    await client.post('/api/check/bulk').json({ email, ...bulk })
    await clerk.post('/api/profile/me/check', { app, permission: 'export' })
    await clerk.post('/api/profile/me/check/bulk', bulk)
    await clerk.post('/api/profile/me/check/effective', { app })
    assert.deepEqual(await countsOf(application), [], 'nothing is written by a request')

    const reporter = new ProcessReporter('service')
    cleanup(async () => {
      await ProcessReport.query().where('processId', reporter.processId).delete()
    })
    await reporter.report()
    await reporter.report()
    assert.deepEqual(await countsOf(application), [8])
    await allowed(client, { email, app, permission: 'orders' })
    await reporter.report()
    assert.deepEqual(await countsOf(application), [9])
    const activity = await superAdmin(client).get(`/api/admin/activity?days=2&appCode=${app}`)
    assert.equal(activity.body().data[1].checks, 9)
  })

  test('of several processes are added up, whatever their order', async ({ assert }) => {
    const [one, other] = [await anApplication(), await anApplication()]
    const counters = Array.from({ length: 8 }, (_, index) =>
      index % 2 === 0
        ? counterOf({ [one.code]: 1, [other.code]: 10 })
        : counterOf({ [other.code]: 10, [one.code]: 1 })
    )
    await Promise.all(counters.map((counter) => storeCheckCounts(counter)))
    assert.deepEqual(await countsOf(one), [8])
    assert.deepEqual(await countsOf(other), [80])
  })

  test('of a deleted application are left out, and the others are stored', async ({ assert }) => {
    const [kept, deleted] = [await anApplication(), await anApplication()]
    await deleted.delete()
    await storeCheckCounts(counterOf({ [deleted.code]: 1, [kept.code]: 2 }))
    assert.deepEqual(await countsOf(kept), [2])
    await kept.delete()
    assert.deepEqual(await countsOf(kept), [])
  })

  test('are stored later if the database fails', async ({ assert }) => {
    const application = await anApplication()
    const counter = counterOf({ [application.code]: 2 })
    const when = `new.application_id = ${application.id}`
    const restore = await refuseWrites({ table: 'check_counts', event: 'insert', when })
    try {
      await assert.rejects(() => storeCheckCounts(counter), /refused by the test/)
    } finally {
      await restore()
    }
    counter.add(application.code, [NOTHING_GRANTS], MAY)
    await storeCheckCounts(counter)
    assert.deepEqual(await countsOf(application), [3])
  })

  test('cost one statement, and none if there are none', async ({ assert }) => {
    const application = await anApplication()
    const counter = counterOf({ [application.code]: 1, [uniqueCode()]: 1 })
    assert.lengthOf(await recordStatements(() => storeCheckCounts(counter)), 1)
    assert.deepEqual(await recordStatements(() => storeCheckCounts(counter)), [])
  })

  test('are removed after 90 days', async ({ assert }) => {
    const application = await anApplication()
    const now = DateTime.utc()
    const rows = [92, 91, 89, 0].map((ago) => ({
      application_id: application.id,
      day: now.minus({ days: ago }).toISODate(),
      count: ago,
    }))
    await db.table('check_counts').multiInsert(rows)
    const [sweep] = checkSweeps
    assert.isTrue(await sweep.isDue(now))
    await transaction((trx) => sweep.deleteExpired(now, 1_000, trx))
    assert.isFalse(await sweep.isDue(now))
    assert.deepEqual(await countsOf(application), [89, 0])
  })

  test('are stored when a process stops', async ({ client, assert, cleanup }) => {
    const { application, app, email } = await aShop(client)
    const service = await startService({ ...sameDatabase(), WEB_CONCURRENCY: '2' }, 'bin/main.ts')
    let isRunning = true
    const stop = async () => {
      if (isRunning) await service.stop()
      isRunning = false
    }
    cleanup(stop)
    const body = { email, app, permission: 'orders' }
    for (let check = 0; check < 5; check++) {
      const response = await client.post(`${service.url}/api/check`).json(body)
      response.assertStatus(200)
    }
    await stop()
    const counts = await countsOf(application)
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      5
    )
  }).timeout(120_000)
})
