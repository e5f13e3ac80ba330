import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from '@japa/runner'
import Database from 'better-sqlite3'
import { REVOCATIONS } from '#tests/functional/checks/revocations'
import { eventually } from '#tests/helpers/eventually'
import type { CheckBody } from '#tests/helpers/management'
import { type Remote, remote } from '#tests/helpers/remote'
import { startService } from '#tests/world/service'

/** For SQLite only. `between_processes.spec.ts` is the counterpart on PostgreSQL. */
if (!process.env.DATABASE_URL) {
  test.group('Revocation and the next check in two workers on SQLite', (group) => {
    let at: Remote
    let file: Database.Database
    /** Checks of permissions that were revoked while the second worker started. */
    const revokedEarly: CheckBody[] = []

    group.setup(async () => {
      const folder = mkdtempSync(join(tmpdir(), 'concierge-workers-'))
      const settings = { WEB_CONCURRENCY: '2', SQLITE_PATH: join(folder, 'shared.sqlite3') }
      const service = await startService(settings, 'bin/main.ts')
      at = remote(service.url)
      file = new Database(settings.SQLITE_PATH)
      // The second worker starts after the first has begun to serve.
      await eventually('both workers answer', changeAndLook, 30_000)
      for (let change = 0; change < 10; change++) await changeAndLook()
      return async () => {
        file.close()
        await service.stop()
        rmSync(folder, { recursive: true, force: true })
      }
    })

    /** The workers take connections in turn, so both are among these responses. */
    const answersOfBoth = (question: CheckBody) =>
      Promise.all(Array.from({ length: 8 }, () => at.allowed(question)))

    async function changeAndLook() {
      const { question, revoke } = await REVOCATIONS['the role is removed from the user'](at)
      await answersOfBoth(question)
      await revoke(at)
      revokedEarly.push(question)
      return haveTwoCaches()
    }

    /** After a change without an event, a worker with a cached decision still allows. */
    async function haveTwoCaches() {
      const { question } = await REVOCATIONS['the role is removed from the user'](at)
      await at.allowed(question)
      file.prepare('delete from user_roles where email = ?').run(question.email)
      const answers = await answersOfBoth(question)
      return answers.includes(true) && answers.includes(false)
    }

    test('a worker sees all changes from its first response on', async ({ assert }) => {
      for (const question of revokedEarly) {
        assert.notInclude(await answersOfBoth(question), true)
      }
    })

    test('{$self}: both workers deny within a second')
      .with(Object.keys(REVOCATIONS))
      .run(async ({ assert }, title) => {
        const { question, revoke } = await REVOCATIONS[title](at)
        await eventually('both allow', async () => (await answersOfBoth(question)).every(Boolean))
        await revoke(at)
        const began = performance.now()
        await eventually('both deny', async () => !(await answersOfBoth(question)).some(Boolean))
        assert.isBelow(performance.now() - began, 1_000)
      })

    test('clearing the cache affects only the worker that serves the request', async ({
      assert,
    }) => {
      const { question } = await REVOCATIONS['the role is removed from the user'](at)
      await eventually('both allow', async () => (await answersOfBoth(question)).every(Boolean))
      file.prepare('delete from user_roles where email = ?').run(question.email)
      assert.notInclude(await answersOfBoth(question), false)
      await at.send('POST', '/api/check/cache/clear')
      assert.includeMembers(await answersOfBoth(question), [true, false])
    })

    test('clearing it everywhere affects every worker', async () => {
      const { question } = await REVOCATIONS['the role is removed from the user'](at)
      await eventually('both allow', async () => (await answersOfBoth(question)).every(Boolean))
      file.prepare('delete from user_roles where email = ?').run(question.email)
      await at.send('POST', '/api/check/cache/clear?everywhere=true')
      await eventually('both deny', async () => !(await answersOfBoth(question)).some(Boolean))
    })
  })
}
