import { test } from '@japa/runner'
import pg from 'pg'
import { REVOCATIONS } from '#tests/functional/checks/revocations'
import { eventually } from '#tests/helpers/eventually'
import { ownDatabase } from '#tests/helpers/own_database'
import { remote } from '#tests/helpers/remote'
import { isInstalled, startPgBouncer, supportsNamedStatements } from '#tests/world/pgbouncer'
import { type RunningService, startService } from '#tests/world/service'

const AT_ONCE = 40

if (process.env.DB_CONNECTION === 'pg' && isInstalled) {
  test.group('Behind PgBouncer in transaction mode', (group) => {
    let services: RunningService[]
    let directUrl: string

    group.setup(async () => {
      const database = await ownDatabase()
      directUrl = database.settings.DATABASE_URL!
      const pooler = await startPgBouncer(directUrl)
      const settings = {
        DATABASE_URL: pooler.url,
        DATABASE_LISTEN_URL: directUrl,
        DATABASE_NAMED_STATEMENTS: String(supportsNamedStatements),
      }
      // Both migrate, one after the other.
      services = await Promise.all([0, 1].map(() => startService(settings)))
      return async () => {
        await Promise.all(services.map((service) => service.stop()))
        await pooler.stop()
        await database.remove()
      }
    })

    test('many requests share few sessions', async ({ assert }) => {
      const [one, other] = services.map(({ url }) => remote(url))
      const { question } = await REVOCATIONS['the role is removed from the user'](one)
      const asked = Array.from({ length: AT_ONCE }, (_, index) =>
        (index % 2 ? one : other).allowed({
          ...question,
          resourceType: 'order',
          resourceId: String(index),
        })
      )
      assert.deepEqual(new Set(await Promise.all(asked)), new Set([true]))
    })

    test('a process learns of changes that another one makes', async ({ assert }) => {
      const [one, other] = services.map(({ url }) => remote(url))
      const { question, revoke } = await REVOCATIONS['the role is removed from the user'](one)
      assert.isTrue(await other.allowed(question))
      await revoke(one)
      await eventually(
        'the other process denies',
        async () => !(await other.allowed(question)),
        1_000
      )
    })

    test('only notifications have sessions of their own', async ({ assert }) => {
      const client = new pg.Client({ connectionString: directUrl })
      await client.connect()
      const { rows } = await client.query(
        `select count(*)::integer as count from pg_stat_activity
         where datname = current_database() and application_name = 'concierge_notifications'`
      )
      await client.end()
      assert.deepEqual(rows, [{ count: services.length }])
    })
  })
}
