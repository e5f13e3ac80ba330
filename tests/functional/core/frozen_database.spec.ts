import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import pg from 'pg'
import { isDatabaseUnavailable } from '#core/database/errors'
import { withBackgroundTimeLimit } from '#core/database/statement_time_limit'
import { projectPath } from '#core/process/root'
import { eventually } from '#tests/helpers/eventually'
import { ownDatabase } from '#tests/helpers/own_database'
import { uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { credentials, problemOf } from '#tests/helpers/send'
import { CrashingPostgres } from '#tests/world/crashing_postgres'
import { type RunningService, startService } from '#tests/world/service'

const RESPOND_WITHIN_MS = 5_000
const POOL = 4
const LONGER_THAN_A_REQUEST_MAY = "interval '5 seconds'"

if (process.env.DB_CONNECTION === 'pg') {
  test.group('A database that freezes', (group) => {
    let postgres: CrashingPostgres
    let service: RunningService

    group.setup(async () => {
      postgres = await CrashingPostgres.start()
      const settings = { DATABASE_URL: postgres.url, DATABASE_POOL: String(POOL) }
      service = await startService(settings)
      return async () => {
        await service.stop()
        await postgres.stop()
      }
    })

    const send = async (method: string, path: string, body?: object) => {
      const sender = path.startsWith('/api/check') ? 'network' : 'token'
      const headers = { 'content-type': 'application/json', ...(await credentials(sender)) }
      const started = performance.now()
      const response = await fetch(`${service.url}${path}`, {
        method,
        headers,
        body: body && JSON.stringify(body),
      })
      return { path, response, ms: performance.now() - started }
    }
    const check = () =>
      send('POST', '/api/check', { email: uniqueEmail(), app: uniqueCode(), permission: 'read' })
    const requests = () => [
      ...Array.from({ length: 3 * POOL }, check),
      send('GET', '/api/applications'),
      send('POST', '/api/applications', { code: uniqueCode('shop'), name: 'Shop' }),
      send('PUT', '/api/profile/me', { theme: 'dark' }),
      send('GET', '/api/health/ready'),
    ]

    test('every request gets 503 within five seconds, and is served again after recovery', async ({
      assert,
      cleanup,
    }) => {
      cleanup(() => postgres.thaw())
      for (const { path, response } of await Promise.all(requests())) {
        assert.isBelow(response.status, 300, path)
        await response.body?.cancel()
      }
      for (let time = 0; time < 2; time++) {
        postgres.freeze()
        // The second round meets a pool without connections.
        for (const round of [requests(), requests()]) {
          for (const { path, response, ms } of await Promise.all(round)) {
            assert.equal(response.status, 503, path)
            assert.equal((await problemOf(assert, response, path)).code, 'DATABASE_UNAVAILABLE')
            assert.isBelow(ms, RESPOND_WITHIN_MS, path)
          }
        }
        assert.equal((await send('GET', '/api/health/live')).response.status, 200)
        postgres.thaw()
        await eventually('it is ready', async () => (await check()).response.ok)
        for (const { path, response } of await Promise.all(requests())) {
          assert.isBelow(response.status, 300, path)
          await response.body?.cancel()
        }
      }
    }).timeout(120_000)

    test('no timed-out connections are kept', async ({ assert }) => {
      const client = new pg.Client({ connectionString: postgres.url })
      await client.connect()
      const sessions = async () => {
        const { rows } = await client.query(
          "select count(*) as count from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()"
        )
        return Number(rows[0].count)
      }
      // The pool, and the connection for notifications.
      await eventually('the others are gone', async () => (await sessions()) <= POOL + 1)
      assert.isAbove(await sessions(), 0)
      await client.end()
    })
  })

  test.group('Long statements', () => {
    test('time out in requests and finish in the background', async ({ assert }) => {
      const sleep = () => db.rawQuery('select pg_sleep(4)')
      const [impatient, patient] = await Promise.allSettled([
        sleep(),
        withBackgroundTimeLimit(sleep),
      ])
      assert.equal(patient.status, 'fulfilled')
      assert.isTrue(impatient.status === 'rejected' && isDatabaseUnavailable(impatient.reason))
    })

    test('finish in migrations', async ({ assert, cleanup }) => {
      const database = await ownDatabase()
      cleanup(() => database.remove())
      const client = new pg.Client({ connectionString: database.settings.DATABASE_URL })
      await client.connect()
      await client.query('begin')
      await client.query('create table brands ()')

      const migrating = spawn(
        process.execPath,
        ['--import=@poppinss/ts-exec', 'tests/world/prepare_database_process.ts'],
        {
          cwd: projectPath(),
          env: { ...process.env, ...database.settings },
          stdio: ['ignore', 'ignore', 'inherit'],
        }
      )
      const ended = once(migrating, 'exit')
      await eventually(
        'a migration waits',
        async () => {
          const { rows } = await db.rawQuery(
            `select 1 from pg_stat_activity where datname = ? and wait_event_type = 'Lock'
             and now() - query_start > ${LONGER_THAN_A_REQUEST_MAY}`,
            [client.database]
          )
          return rows.length > 0
        },
        60_000
      )
      await client.query('rollback')
      await client.end()
      assert.deepEqual(await ended, [0, null])
    }).timeout(120_000)
  })
}
