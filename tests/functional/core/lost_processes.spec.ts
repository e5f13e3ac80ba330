import { test } from '@japa/runner'
import type { TestContext } from '@japa/runner/core'
import db from '@adonisjs/lucid/services/db'
import pg from 'pg'
import { isDatabaseUnavailable } from '#core/database/errors'
import { idleTransaction, limitTransactions } from '#core/database/limit_transactions'
import { lockUntilCommit } from '#core/database/lock_until_commit'
import { PreparedQuery } from '#core/database/prepared_query'
import { noticeLostClient } from '#core/database/servers/notice_lost_client'
import { withBackgroundTimeLimit, withoutTimeLimit } from '#core/database/statement_time_limit'
import { transaction } from '#core/database/transaction'
import { eventually } from '#tests/helpers/eventually'
import { uniqueCode } from '#tests/helpers/people'
import { TcpProxy } from '#tests/world/tcp_proxy'

type Cleanup = TestContext['cleanup']

const LOCK = 'select pg_advisory_xact_lock(hashtextextended($1, 0))'
const LIMITS = `
  select current_setting('lock_timeout') as lock,
    current_setting('idle_in_transaction_session_timeout') as idle`

async function aClient(cleanup: Cleanup, connectionString: string, settings: object = {}) {
  const client = new pg.Client({ connectionString, ...settings })
  client.on('error', () => {})
  await client.connect()
  cleanup(() => void client.connection.stream.destroy())
  return client
}

async function sessions(condition: string, ...values: string[]): Promise<number> {
  const { rows } = await db.rawQuery(
    `select pid from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and ${condition}`,
    values
  )
  return rows.length
}

if (process.env.DB_CONNECTION === 'pg') {
  const url = process.env.DATABASE_URL!

  test.group('A process that is frozen or lost', (group) => {
    group.each.setup(() => {
      const { limitMs } = idleTransaction
      return () => void (idleTransaction.limitMs = limitMs)
    })

    test('loses its transaction and the locks of it', async ({ assert, cleanup }) => {
      idleTransaction.limitMs = 200
      const key = uniqueCode()
      const other = await aClient(cleanup, url, { query_timeout: 10_000 })
      const frozen = transaction(async (trx) => {
        await lockUntilCommit(trx, key)
        await other.query('begin')
        await other.query(LOCK, [key])
        await other.query('commit')
        await trx.rawQuery('select 1')
      })
      const error = await frozen.then(
        () => undefined,
        (reason: unknown) => reason
      )
      assert.isTrue(isDatabaseUnavailable(error), String(error))
      await transaction((trx) => lockUntilCommit(trx, key))
    }).timeout(20_000)

    test('takes no lock any more that it waited for when its packets were dropped', async ({
      cleanup,
    }) => {
      const proxy = await TcpProxy.inFrontOf(url)
      cleanup(() => proxy.stop())
      const key = uniqueCode()
      const holder = await aClient(cleanup, url)
      await holder.query('begin')
      await holder.query(LOCK, [key])
      const name = uniqueCode('lost')
      const lost = await aClient(cleanup, proxy.url, {
        application_name: name,
        query_timeout: 1_000,
      })
      limitTransactions(lost)
      await lost.query('begin')
      lost.query(LOCK, [key]).catch(() => {})
      const waits = () => sessions("application_name = ? and wait_event_type = 'Lock'", name)
      await eventually('it waits', async () => (await waits()) === 1)
      proxy.abandon()
      await eventually('it no longer waits', async () => (await waits()) === 0)
    })

    test('leaves no session behind that waits on', async ({ assert }) => {
      const marker = uniqueCode('marker')
      const statement = `select pg_sleep(60) /* ${marker} */`
      const running = () => sessions('query like ?', `%${marker}%`)
      const timedOut = assert.rejects(() => db.rawQuery(statement), /Query read timeout/)
      await eventually('it waits', async () => (await running()) === 1)
      await timedOut
      await eventually('the session has ended', async () => (await running()) === 0)
    }).timeout(20_000)
  })

  test.group('Limits of transactions', () => {
    test('are those of the statements in them', async ({ assert }) => {
      const ofTransaction = () =>
        db.transaction(async (trx) => (await trx.rawQuery(LIMITS)).rows[0] as object)
      const idle = '20s'
      assert.deepEqual(await ofTransaction(), { lock: '3500ms', idle })
      assert.deepEqual(await withBackgroundTimeLimit(ofTransaction), { lock: '1min', idle })
      assert.deepEqual(await withoutTimeLimit(ofTransaction), { lock: '2147483647ms', idle })
    })

    test('apply to prepared queries and to every isolation level', async ({ assert }) => {
      const limits = new PreparedQuery<object>('transaction_limits', LIMITS)
      const expected = { lock: '3500ms', idle: '20s' }
      assert.deepEqual(await PreparedQuery.inTransaction((run) => run(limits, [])), [expected])
      const read = { isolationLevel: 'repeatable read', readOnly: true } as const
      await db.transaction(async (trx) => {
        assert.deepEqual((await trx.rawQuery(LIMITS)).rows, [expected])
        const { rows } = await trx.rawQuery('show transaction_isolation')
        assert.deepEqual(rows, [{ transaction_isolation: 'repeatable read' }])
      }, read)
    })

    test('end with the transaction', async ({ assert, cleanup }) => {
      const client = await aClient(cleanup, url, { query_timeout: 1_000 })
      limitTransactions(client)
      const before = await client.query(LIMITS)
      await client.query('begin')
      await client.query('commit')
      assert.deepEqual((await client.query(LIMITS)).rows, before.rows)
    })
  })

  test.group('Settings that notice a lost client', () => {
    const valueOf = async (client: pg.Client, name: string) =>
      (await client.query('select current_setting($1) as value', [name])).rows[0].value as string

    test('apply to the connections of the pool', async ({ assert }) => {
      const { rows } = await db.rawQuery(
        `select current_setting('client_connection_check_interval') as check_interval,
           current_setting('tcp_user_timeout') as user_timeout,
           current_setting('tcp_keepalives_idle') as keepalives_idle,
           current_setting('tcp_keepalives_interval') as keepalives_interval,
           current_setting('tcp_keepalives_count') as keepalives_count`
      )
      assert.deepEqual(rows, [
        {
          check_interval: '2s',
          user_timeout: '20000',
          keepalives_idle: '10',
          keepalives_interval: '5',
          keepalives_count: '3',
        },
      ])
    })

    test('that the server does not know or accept are left out', async ({ assert, cleanup }) => {
      const client = await aClient(cleanup, url)
      const settings = { no_such_setting: '1', max_connections: '5', tcp_keepalives_idle: '7' }
      await noticeLostClient(client, settings)
      assert.equal(await valueOf(client, 'tcp_keepalives_idle'), '7')
    })

    test('do not hide that the connection is lost', async ({ assert, cleanup }) => {
      const client = await aClient(cleanup, url)
      client.connection.stream.destroy()
      await assert.rejects(() => noticeLostClient(client))
    })
  })
}
