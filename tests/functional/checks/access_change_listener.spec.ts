import { test } from '@japa/runner'
import type { TestContext } from '@japa/runner/core'
import pg from 'pg'
import { AccessChangeListener } from '#app/checks/invalidation/access_change_listener'
import { ACCESS_CHANNEL, type AccessNotice } from '#core/database/access_transaction'
import type { AccessScope } from '#core/events/access_changed'
import { eventually } from '#tests/helpers/eventually'
import { TcpProxy } from '#tests/world/tcp_proxy'

type Cleanup = TestContext['cleanup']

/** For PostgreSQL only. `between_workers.spec.ts` is the counterpart on SQLite. */
const databaseUrl = process.env.DATABASE_URL
if (databaseUrl) testOn(databaseUrl)

async function aListener(cleanup: Cleanup, url: string) {
  const proxy = await TcpProxy.inFrontOf(url)
  const heard: AccessNotice[] = []
  const log: string[] = []
  const counts = { gaps: 0 }
  const notifications = new AccessChangeListener({
    connectionString: proxy.url,
    logger: {
      warn: (_: object, message: string) => log.push(message),
      error: (_: object, message: string) => log.push(message),
    },
    onChange: (notice) => heard.push(notice),
    onGap: () => counts.gaps++,
    heartbeatMs: 50,
  })
  notifications.start()
  cleanup(async () => {
    await notifications.stop()
    proxy.stop()
  })
  await eventually('it listens', () => counts.gaps > 0)
  return { proxy, heard, log, counts, notifications }
}

function testOn(url: string) {
  test.group('Access change listener', (group) => {
    let writer: pg.Client

    group.setup(async () => {
      writer = new pg.Client({ connectionString: url })
      await writer.connect()
      return () => writer.end()
    })

    const notify = (payload: string) =>
      writer.query('select pg_notify($1, $2)', [ACCESS_CHANNEL, payload])
    const change = (revision: number, ...scopes: AccessScope[]) =>
      notify(JSON.stringify({ scopes, revision }))

    test('reports changes with their revisions', async ({ assert, cleanup }) => {
      const { heard } = await aListener(cleanup, url)
      const scopes = [{ email: 'ada@x.example', application: 'shop' }, {}]
      await change(7, ...scopes)
      await eventually('it hears', () => heard.length > 0)
      assert.deepEqual(heard, [{ scopes, revision: 7 }])
    })

    test('treats an unreadable message as a change of everything', async ({ assert, cleanup }) => {
      const { heard, counts } = await aListener(cleanup, url)
      const before = counts.gaps
      await notify('not JSON')
      await eventually('everything is forgotten', () => counts.gaps > before)
      assert.deepEqual(heard, [])
    })

    test('treats the loss and the recovery of its connection as a change of everything', async ({
      assert,
      cleanup,
    }) => {
      const { proxy, heard, counts, log } = await aListener(cleanup, url)
      const before = counts.gaps
      proxy.refuse()
      proxy.cut()
      await eventually('the loss is noticed', () => counts.gaps > before)

      // Several attempts fail, but only the first is logged.
      const lost = counts.gaps
      await eventually('attempts fail', () => counts.gaps > lost + 1)
      assert.deepEqual(log, ['Lost the connection for access changes; reconnecting'])

      await proxy.accept()
      const failed = counts.gaps
      await eventually('it is back', async () => {
        await change(1, {})
        return heard.length > 0
      })
      assert.isAbove(counts.gaps, failed)
    })

    test('reconnects after the server closes its connection', async ({ cleanup }) => {
      const { heard, counts } = await aListener(cleanup, url)
      const before = counts.gaps
      await writer.query(`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'concierge_notifications' and datname = current_database()`)
      await eventually('the loss is noticed', () => counts.gaps > before)
      await eventually('it hears again', async () => {
        await change(1, {})
        return heard.length > 0
      })
    })

    test('notices a connection that was silently dropped', async ({ cleanup }) => {
      const { proxy, heard, counts } = await aListener(cleanup, url)
      const before = counts.gaps
      proxy.stall()
      await eventually('the silence is noticed', () => counts.gaps > before)
      proxy.resume()
      await eventually('it hears again', async () => {
        await change(1, {})
        return heard.length > 0
      })
    })

    test('stops immediately, even if its connection hangs or fails', async ({
      assert,
      cleanup,
    }) => {
      for (const trouble of ['none', 'stalled', 'refused'] as const) {
        const { proxy, notifications } = await aListener(cleanup, url)
        if (trouble === 'stalled') proxy.stall()
        if (trouble === 'refused') {
          proxy.refuse()
          proxy.cut()
        }
        const began = performance.now()
        await notifications.stop()
        assert.isBelow(performance.now() - began, 1_000, trouble)
      }
    })
  })
}
