import { test } from '@japa/runner'
import pg from 'pg'
import db from '@adonisjs/lucid/services/db'
import { usesPostgres } from '#core/database/dialect'
import { dumpDatabase } from '#tests/helpers/database_dump'
import { eventually } from '#tests/helpers/eventually'
import { superAdmin } from '#tests/helpers/people'
import { aShop } from '#tests/functional/checks/shop'

// On SQLite there is no connection to lose.
if (usesPostgres()) {
  test.group('A preview whose connection breaks', () => {
    test('has changed nothing, and later ones work', async ({ client, assert, cleanup }) => {
      const { app, email, clerk } = await aShop(client)
      const blocker = new pg.Client({ connectionString: process.env.DATABASE_URL })
      await blocker.connect()
      cleanup(() => blocker.end())
      const stored = await dumpDatabase()
      const changes = [
        { op: 'addAdministrator', email },
        { op: 'replaceUserRoles', email, roleIds: [clerk.id] },
      ]
      const preview = () =>
        superAdmin(client).post(`/api/applications/${app}/access/preview`, { changes })

      await blocker.query('begin')
      await blocker.query('lock table audit_entries in access exclusive mode')
      const interrupted = preview()
      const waiting = `select pid from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'
          and query like 'insert into audit_entries%'`
      await eventually('the preview has added the administrator', async () => {
        return (await db.rawQuery(waiting)).rowCount === 1
      })
      await db.rawQuery(`select pg_terminate_backend(pid) from (${waiting}) as waiting`)
      const response = await interrupted
      response.assertProblem(503, 'DATABASE_UNAVAILABLE')
      await blocker.query('rollback')

      assert.equal(await dumpDatabase(), stored)
      const repeated = await preview()
      repeated.assertStatus(200)
      assert.isAbove(repeated.body().data.total, 0)
      assert.equal(await dumpDatabase(), stored)
    })
  })
}
