import { test } from '@japa/runner'
import pg from 'pg'
import db from '@adonisjs/lucid/services/db'
import { usesPostgres } from '#core/database/dialect'
import { dumpDatabase } from '#tests/helpers/database_dump'
import { eventually } from '#tests/helpers/eventually'
import { anApplication } from '#tests/helpers/people'
import { policyOf } from '#tests/helpers/policies'

// On SQLite there is no connection to lose.
if (usesPostgres()) {
  test('A policy whose connection breaks while it is applied has changed nothing', async ({
    client,
    assert,
    cleanup,
  }) => {
    const { code } = await anApplication()
    const { plan, put, read } = await policyOf(client, code)
    const document = {
      application: code,
      permissions: [{ code: 'orders', type: 'tiered' }],
      roles: [{ code: 'clerk' }],
    }
    const { revision } = (await plan(document)).body().data
    const blocker = new pg.Client({ connectionString: process.env.DATABASE_URL })
    await blocker.connect()
    cleanup(() => blocker.end())
    const stored = await dumpDatabase()
    await blocker.query('begin')
    await blocker.query('lock table audit_entries in access exclusive mode')
    const interrupted = put(document, revision).then((response) => response)
    const waiting = `select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'
        and query like 'insert into audit_entries%'`
    await eventually('the permission is created', async () => {
      return (await db.rawQuery(waiting)).rowCount === 1
    })
    await db.rawQuery(`select pg_terminate_backend(pid) from (${waiting}) as waiting`)
    const response = await interrupted
    response.assertProblem(503, 'DATABASE_UNAVAILABLE')
    await blocker.query('rollback')
    assert.equal(await dumpDatabase(), stored)

    const repeated = await put(document, revision)
    repeated.assertStatus(200)
    assert.lengthOf((await read()).roles, 1)
  })
}
