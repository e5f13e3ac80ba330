import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { REVOCATIONS } from '#tests/functional/checks/revocations'
import { eventually } from '#tests/helpers/eventually'
import { type Remote, remote } from '#tests/helpers/remote'
import { serviceUrl } from '#tests/helpers/send'
import { type RunningService, startService } from '#tests/world/service'
import { TcpProxy } from '#tests/world/tcp_proxy'

const ROLE_REMOVED = 'the role is removed from the user'

/** For PostgreSQL only. `between_workers.spec.ts` is the counterpart on SQLite. */
if (process.env.DATABASE_URL) between(process.env.DATABASE_URL)

function between(databaseUrl: string) {
  test.group('Revocation and the next check in two processes on PostgreSQL', (group) => {
    let proxy: Awaited<ReturnType<typeof TcpProxy.inFrontOf>>
    let service: RunningService
    let here: Remote
    /** Connects to the database through the proxy. */
    let there: Remote
    let notificationsThere: number[]

    group.setup(async () => {
      const before = await notificationBackends()
      proxy = await TcpProxy.inFrontOf(databaseUrl)
      service = await startService({ DATABASE_URL: proxy.url })
      here = remote(serviceUrl())
      there = remote(service.url)
      notificationsThere = await eventually('the other process listens', async () => {
        const added = (await notificationBackends()).filter((pid) => !before.includes(pid))
        return added.length > 0 && added
      })
      return async () => {
        await service.stop()
        proxy.stop()
      }
    })

    const denies = (process: Remote, question: Parameters<Remote['allowed']>[0]) =>
      eventually('it denies', async () => !(await process.allowed(question)), 5_000)

    test('{$self}: the other process denies within a second')
      .with(Object.keys(REVOCATIONS))
      .run(async ({ assert }, title) => {
        for (const [writer, reader] of [
          [here, there],
          [there, here],
        ]) {
          const { question, revoke } = await REVOCATIONS[title](writer)
          await eventually('both allow', async () => {
            const answers = [await writer.allowed(question), await reader.allowed(question)]
            return answers.every(Boolean)
          })
          await revoke(writer)
          const began = performance.now()
          assert.isFalse(await writer.allowed(question))
          await denies(reader, question)
          assert.isBelow(performance.now() - began, 1_000)
        }
      })

    test('a change while the listener is disconnected is visible as soon as it reconnects', async ({
      assert,
    }) => {
      const { question, revoke } = await REVOCATIONS[ROLE_REMOVED](here)
      // Refuses only new connections. Those of the pool stay open, so the process still answers.
      proxy.refuse()
      await db.rawQuery('select pg_terminate_backend(pid) from unnest(?::int[]) pid', [
        notificationsThere,
      ])
      await eventually('the connection is cut', async () => {
        const left = await notificationBackends()
        return !left.some((pid) => notificationsThere.includes(pid))
      })
      await eventually('it allows and remembers that', () => there.allowed(question))
      await revoke(here)
      assert.isFalse(await here.allowed(question))

      await proxy.accept()
      const began = performance.now()
      await denies(there, question)
      assert.isBelow(performance.now() - began, 2_000)
    })

    test('without the database, a check is an error and never a denial, and then recovers', async ({
      assert,
    }) => {
      const { question } = await REVOCATIONS[ROLE_REMOVED](here)
      proxy.refuse()
      proxy.cut()
      for (let attempt = 0; attempt < 3; attempt++) {
        const { status, body } = await there.check({ ...question, permission: `p${attempt}` })
        assert.equal(status, 503)
        assert.containsSubset(body, { code: 'DATABASE_UNAVAILABLE' })
      }
      await proxy.accept()
      await eventually('it recovers', async () => (await there.check(question)).status === 200)
      assert.isTrue(await there.allowed(question))
    })
  })
}

async function notificationBackends(): Promise<number[]> {
  const { rows } = await db.rawQuery(`
    select pid from pg_stat_activity
    where application_name = 'concierge_notifications' and datname = current_database()`)
  return rows.map(({ pid }: { pid: number }) => pid)
}
