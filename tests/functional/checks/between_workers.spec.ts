import { test } from '@japa/runner'
import { REVOCATIONS } from '#tests/functional/checks/revocations'
import { eventually } from '#tests/helpers/eventually'
import type { CheckBody } from '#tests/helpers/management'
import { type Remote, remote } from '#tests/helpers/remote'
import { type RunningService, startService } from '#tests/world/service'

/** On SQLite the workers of one service are all the processes there are; `between_processes.spec.ts` has the others. */
if (!process.env.DATABASE_URL) {
  test.group('A change and the next check, two workers on SQLite', (group) => {
    let service: RunningService
    let at: Remote

    group.setup(async () => {
      service = await startService({ WEB_CONCURRENCY: '2' }, 'bin/main.ts')
      at = remote(service.url)
      return async () => {
        await service.stop()
      }
    })

    /** Connections go to the workers in turn, so both answer among these. */
    const answersOfBoth = (question: CheckBody) =>
      Promise.all(Array.from({ length: 8 }, () => at.allowed(question)))

    test('{$self}: both deny within a second')
      .with(Object.keys(REVOCATIONS))
      .run(async ({ assert }, title) => {
        const { question, revoke } = await REVOCATIONS[title](at)
        await eventually('both allow', async () => (await answersOfBoth(question)).every(Boolean))
        await revoke(at)
        const began = performance.now()
        await eventually('both deny', async () => !(await answersOfBoth(question)).some(Boolean))
        assert.isBelow(performance.now() - began, 1_000)
      })

    test('clearing the cache is the matter of the worker that is asked', async ({ assert }) => {
      const answer = await at.send('POST', '/api/check/cache/clear')
      assert.deepEqual(answer, { status: 200, body: { success: true, data: { cleared: true } } })
    })
  })
}
