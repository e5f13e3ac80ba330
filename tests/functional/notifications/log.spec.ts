import { test } from '@japa/runner'
import { MAX_ID } from '#core/values/identifiers'
import { DateTime } from 'luxon'
import db from '@adonisjs/lucid/services/db'
import { usesPostgres } from '#core/database/dialect'
import Delivery, { type Channel } from '#app/delivery/models/delivery'
import { logPage } from '#app/notifications/queries/log_page'
import { aNotification } from '#tests/helpers/inbox'
import { nextPage } from '#tests/helpers/pages'
import { assertReadsLittle } from '#tests/helpers/query_plan'
import { anotherService } from '#tests/helpers/internal'
import {
  anAdministratorOf,
  anApplication,
  anOldApplication,
  signedIn,
  superAdmin,
  uniqueCode,
  uniqueEmail,
} from '#tests/helpers/people'

const INTERNAL = '/api/internal/notifications/log'
const ADMIN = '/api/admin/notifications'
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const at = (iso: string) => DateTime.fromISO(iso, { zone: 'utc' })
const idsOf = (response: { body(): { data: { id: number }[] } }) =>
  response.body().data.map(({ id }) => id)

/** 4,000 entries for a user and an application, and 8,000 for others after them. */
async function sentLongAgo(email: string, appCode: string) {
  await db.rawQuery(
    `insert into notifications
       (email, app_code, app_name, type, locale, subject, status, payload, in_inbox, created_at)
     with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 12000)
     select case when n <= 4000 then '${email}' else 'other-' || n || '@tests.example' end,
       case when n <= 4000 then '${appCode}' else '${uniqueCode()}' end,
       'Shop', 'order', 'en', 'Subject', 'sent', '{}', false, current_timestamp
     from numbers order by n`
  )
  if (usesPostgres()) await db.rawQuery('analyze notifications')
}

test.group('Notification log', () => {
  test('returns the same entries in all three lists, the newest first', async ({
    client,
    assert,
  }) => {
    const email = uniqueEmail()
    const { code: appCode } = await anApplication()
    const first = await aNotification(email, { appCode, payload: { secret: 'of the payload' } })
    const second = await aNotification(email, {
      appCode,
      status: 'skipped',
      statusReason: 'UNKNOWN_TYPE',
      templateKey: 'welcome',
      inInbox: false,
    })
    const service = anotherService(client)
    const responses = [
      await service.get(`${INTERNAL}/${email.toUpperCase()}`),
      await service.get(`${INTERNAL}/app/${appCode}`),
      await superAdmin(client).get(`${ADMIN}/log/${appCode}`),
    ]
    for (const response of responses) {
      response.assertStatus(200)
      const [one, other] = response.body().data
      assert.match(one.createdAt, TIMESTAMP)
      const common = {
        recipientEmail: email,
        appCode,
        type: 'order-shipped',
        subject: 'Your order is on its way',
        locale: 'en',
        scheduledFor: null,
      }
      assert.deepEqual(response.body(), {
        success: true,
        data: [
          {
            ...common,
            id: second.id,
            template: 'welcome',
            status: 'skipped',
            statusReason: 'UNKNOWN_TYPE',
            createdAt: one.createdAt,
          },
          {
            ...common,
            id: first.id,
            template: null,
            status: 'sent',
            statusReason: null,
            createdAt: other.createdAt,
          },
        ],
      })
    }
  })

  test('is empty for a user who has never been notified', async ({ client, assert }) => {
    const response = await anotherService(client).get(`${INTERNAL}/${uniqueEmail()}`)
    response.assertStatus(200)
    assert.deepEqual(response.body(), { success: true, data: [] })
    const malformed = await anotherService(client).get(`${INTERNAL}/nobody`)
    malformed.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'email' }] })
  })

  test('returns 404 for an unknown application', async ({ client }) => {
    const code = uniqueCode()
    const internal = await anotherService(client).get(`${INTERNAL}/app/${code}`)
    internal.assertProblem(404, 'APPLICATION_NOT_FOUND')
    for (const list of ['log', 'stats']) {
      const response = await superAdmin(client).get(`${ADMIN}/${list}/${code}`)
      response.assertProblem(404, 'APPLICATION_NOT_FOUND')
    }
  })

  test('pages every list', async ({ client, assert }) => {
    const email = uniqueEmail()
    const { code: appCode } = await anApplication()
    const ids: number[] = []
    for (let count = 0; count < 5; count++) {
      ids.unshift((await aNotification(email, { appCode })).id)
    }
    const service = anotherService(client)
    const readers = [
      [service, `${INTERNAL}/${email}`],
      [service, `${INTERNAL}/app/${appCode}`],
      [superAdmin(client), `${ADMIN}/log/${appCode}`],
    ] as const
    for (const [reader, list] of readers) {
      const seen: number[] = []
      let path: string | undefined = `${list}?limit=2`
      while (path) {
        const response = await reader.get(path)
        seen.push(...idsOf(response))
        path = nextPage(response)
      }
      assert.deepEqual(seen, ids)
      for (const query of ['limit=0', 'limit=201', 'cursor=x']) {
        const refused = await reader.get(`${list}?${query}`)
        refused.assertProblem(400, 'VALIDATION_ERROR')
      }
    }
  })

  test('reads only the rows of a page, even if many newer entries belong to others', async ({
    assert,
  }) => {
    const [email, appCode] = [uniqueEmail(), uniqueCode()]
    await sentLongAgo(email, appCode)
    const index = /notifications_(?:email|app_code)_log_index/
    for (const filter of [{ appCode }, { recipientEmail: email }]) {
      const newest = logPage(filter, { limit: 50, after: null })
      await assertReadsLittle(assert, newest, { rows: 51, index })
      const entries = await logPage(filter, { limit: 3_000, after: null })
      const older = logPage(filter, { limit: 50, after: entries[2_500].id })
      await assertReadsLittle(assert, older, { rows: 51, index })
    }
    // PostgreSQL decides by its statistics.
    if (usesPostgres()) return
    const failed = logPage({ status: 'failed' }, { limit: 50, after: MAX_ID })
    await assertReadsLittle(assert, failed, { rows: 51, index: /notifications_failed_log_index/ })
  })

  test('searches by every filter and by combinations of filters', async ({ client, assert }) => {
    const { code: appCode } = await anOldApplication()
    const [ada, bob] = [uniqueEmail('ada'), uniqueEmail('bob')]
    const a = await aNotification(ada, { appCode, createdAt: at('2026-03-01T10:00:00.000Z') })
    const b = await aNotification(bob, {
      appCode,
      status: 'failed',
      createdAt: at('2026-03-02T00:00:00.000Z'),
    })
    const c = await aNotification(ada, {
      appCode,
      type: 'invoice',
      createdAt: at('2026-03-02T23:59:59.999Z'),
    })
    await aNotification(ada)
    const search = async (query: Record<string, string>) =>
      idsOf(await superAdmin(client).get(`${ADMIN}/log/${appCode}?${new URLSearchParams(query)}`))

    assert.deepEqual(await search({}), [c.id, b.id, a.id])
    assert.deepEqual(await search({ status: 'failed' }), [b.id])
    assert.deepEqual(await search({ type: 'invoice' }), [c.id])
    assert.deepEqual(await search({ recipientEmail: ada.toUpperCase() }), [c.id, a.id])
    assert.deepEqual(await search({ from: '2026-03-02T00:00:00Z' }), [c.id, b.id])
    assert.deepEqual(await search({ to: '2026-03-02T00:00:00Z' }), [a.id])
    assert.deepEqual(await search({ from: '2026-03-02T01:00:00+01:00' }), [c.id, b.id])
    assert.deepEqual(
      await search({ from: '2026-03-01T10:00:00.001Z', to: '2026-03-02T23:59:59.999Z' }),
      [b.id]
    )
    assert.deepEqual(await search({ status: 'sent', recipientEmail: ada, type: 'invoice' }), [c.id])
    assert.deepEqual(await search({ status: 'skipped' }), [])
    for (const [field, value] of [
      ['status', 'lost'],
      ['recipientEmail', 'ada'],
      ['from', 'yesterday'],
      ['to', '5'],
      ['type', '\u0000'],
    ]) {
      const query = new URLSearchParams({ [field]: value })
      const refused = await superAdmin(client).get(`${ADMIN}/log/${appCode}?${query}`)
      refused.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field }] })
    }
  })

  test('counts per day, channel and status', async ({ client, assert }) => {
    const { code: appCode } = await anOldApplication()
    const made = async (
      createdAt: string,
      status: 'sent' | 'failed' | 'skipped',
      ...deliveries: [Channel, 'sent' | 'failed'][]
    ) => {
      const { id } = await aNotification(uniqueEmail(), {
        appCode,
        status,
        createdAt: at(createdAt),
      })
      for (const [channel, outcome] of deliveries) {
        await Delivery.create({ notificationId: id, channel, status: outcome, attempts: 1 })
      }
    }
    await made('2026-03-01T23:59:59.999Z', 'sent', ['email', 'sent'])
    await made('2026-03-02T00:00:00.000Z', 'sent', ['email', 'sent'], ['push', 'failed'])
    await made('2026-03-02T12:00:00.000Z', 'sent', ['email', 'sent'], ['push', 'sent'])
    await made('2026-03-02T13:00:00.000Z', 'failed', ['email', 'failed'])
    await made('2026-03-02T14:00:00.000Z', 'skipped')
    await made('2026-03-03T00:00:00.000Z', 'failed')
    const stats = async (query: Record<string, string> = {}) => {
      const search = new URLSearchParams(query)
      const response = await superAdmin(client).get(`${ADMIN}/stats/${appCode}?${search}`)
      response.assertStatus(200)
      return response.body()
    }
    const first = { date: '2026-03-01', channel: 'email', status: 'sent', count: 1 }
    const second = [
      { date: '2026-03-02', channel: null, status: 'skipped', count: 1 },
      { date: '2026-03-02', channel: 'email', status: 'failed', count: 1 },
      { date: '2026-03-02', channel: 'email', status: 'sent', count: 2 },
      { date: '2026-03-02', channel: 'push', status: 'failed', count: 1 },
      { date: '2026-03-02', channel: 'push', status: 'sent', count: 1 },
    ]
    const third = { date: '2026-03-03', channel: null, status: 'failed', count: 1 }
    assert.deepEqual(await stats({ from: '2026-03-01T00:00:00Z', to: '2026-03-04T00:00:00Z' }), {
      success: true,
      data: [first, ...second, third],
    })
    const day = await stats({ from: '2026-03-02T00:00:00Z', to: '2026-03-03T00:00:00Z' })
    assert.deepEqual(day.data, second)
    assert.deepEqual((await stats({ to: '2026-03-02T00:00:00Z' })).data, [first])
  })

  test('counts per hour, and one type', async ({ client, assert }) => {
    const { code: appCode } = await anOldApplication()
    for (const [createdAt, type] of [
      ['2026-03-01T23:59:59.999Z', 'orders'],
      ['2026-03-02T00:00:00.000Z', 'orders'],
      ['2026-03-02T00:30:00.000Z', 'orders'],
      ['2026-03-02T00:30:00.000Z', 'invoices'],
    ]) {
      await aNotification(uniqueEmail(), { appCode, type, createdAt: at(createdAt) })
    }
    const period = { from: '2026-03-01T00:00:00Z', to: '2026-03-03T00:00:00Z' }
    const query = new URLSearchParams({ ...period, type: 'orders', per: 'hour' })
    const response = await superAdmin(client).get(`${ADMIN}/stats/${appCode}?${query}`)
    assert.deepEqual(response.body().data, [
      { date: '2026-03-01T23:00:00Z', channel: null, status: 'sent', count: 1 },
      { date: '2026-03-02T00:00:00Z', channel: null, status: 'sent', count: 2 },
    ])
    for (const [field, value] of [
      ['per', 'minute'],
      ['type', '\u0000'],
    ]) {
      const wrong = new URLSearchParams({ [field]: value })
      const refused = await superAdmin(client).get(`${ADMIN}/stats/${appCode}?${wrong}`)
      refused.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field }] })
    }
  })

  test('counts the last 30 days by default', async ({ client, assert }) => {
    const { code: appCode } = await anApplication()
    const now = DateTime.utc()
    await aNotification(uniqueEmail(), { appCode, createdAt: now })
    await aNotification(uniqueEmail(), { appCode, createdAt: now.minus({ days: 31 }) })
    const response = await superAdmin(client).get(`${ADMIN}/stats/${appCode}`)
    assert.deepEqual(response.body().data, [
      { date: now.toISODate(), channel: null, status: 'sent', count: 1 },
    ])
  })

  test('requires a panel level for the log and the statistics', async ({ client }) => {
    const application = await anApplication()
    const administrator = signedIn(client, await anAdministratorOf(application))
    const other = signedIn(client, await anAdministratorOf(await anApplication()))
    for (const list of ['log', 'stats']) {
      const path = `${ADMIN}/${list}/${application.code}`
      const shown = await administrator.get(path)
      shown.assertStatus(200)
      const hidden = await other.get(path)
      hidden.assertProblem(403, 'FORBIDDEN')
      const anonymous = await client.get(path)
      anonymous.assertProblem(401, 'UNAUTHENTICATED')
    }
    for (const path of [`${INTERNAL}/a@b.example`, `${INTERNAL}/app/${application.code}`]) {
      const withToken = await administrator.get(path)
      withToken.assertProblem(401, 'UNAUTHENTICATED')
    }
  })
})
