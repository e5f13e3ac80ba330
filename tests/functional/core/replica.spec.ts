import { test } from '@japa/runner'
import { REVOCATIONS } from '#tests/functional/checks/revocations'
import { eventually } from '#tests/helpers/eventually'
import { metricOf } from '#tests/helpers/metrics'
import { type Remote, remote } from '#tests/helpers/remote'
import { startServiceWithReplica } from '#tests/world/service_with_replica'

type Started = Awaited<ReturnType<typeof startServiceWithReplica>>

if (process.env.DB_CONNECTION === 'pg') {
  test.group('A replica', (group) => {
    let pair: Started['pair']
    let proxy: Started['proxy']
    let running: Started['running']
    let service: Remote

    group.setup(async () => {
      const { stop, ...started } = await startServiceWithReplica()
      ;({ pair, proxy, running } = started)
      service = remote(running.url)
      return stop
    })

    const reads = (result: string) =>
      metricOf(running.url, `concierge_database_replica_reads_total{result="${result}"}`)

    /** Asks about something else each time, so that no decision is cached. */
    let asked = 0
    const ask = (question: object) =>
      service.allowed({ ...question, resourceType: 'order', resourceId: String(asked++) } as never)

    test('decides checks that are not cached', async ({ assert }) => {
      const { question } = await REVOCATIONS['the role is removed from the user'](service)
      const before = await reads('answered')
      await eventually('the replica answers', async () => {
        assert.isTrue(await ask(question))
        return (await reads('answered')) > before
      })
    })

    test('decides nothing while it lacks a change that the process knows of', async ({
      assert,
      cleanup,
    }) => {
      const { question, revoke } = await REVOCATIONS['the role is removed from the user'](service)
      await pair.pauseReplay()
      cleanup(() => pair.resumeReplay())
      await revoke(service)
      const [answered, behind] = [await reads('answered'), await reads('behind')]
      for (let check = 0; check < 20; check++) assert.isFalse(await ask(question))
      assert.equal(await reads('answered'), answered)
      assert.isAbove(await reads('behind'), behind)
    })

    test('causes no error when it cannot be reached, and is used again later', async ({
      assert,
      cleanup,
    }) => {
      const { question } = await REVOCATIONS['the role is removed from the user'](service)
      const failed = await reads('failed')
      proxy.refuse()
      proxy.cut()
      cleanup(() => proxy.accept())
      for (let check = 0; check < 20; check++) assert.isTrue(await ask(question))
      assert.isAbove(await reads('failed'), failed)
      await proxy.accept()
      const answered = await reads('answered')
      await eventually('the replica answers again', async () => {
        assert.isTrue(await ask(question))
        return (await reads('answered')) > answered
      })
    })

    test('causes no error when it stops responding', async ({ assert, cleanup }) => {
      const { question } = await REVOCATIONS['the role is removed from the user'](service)
      proxy.stall()
      cleanup(() => proxy.resume())
      for (let check = 0; check < 5; check++) assert.isTrue(await ask(question))
    })

    test('answers searches, explanations and lists of permissions', async ({ assert }) => {
      const { question } = await REVOCATIONS['the role is removed from the user'](service)
      const { email, app, permission } = question
      for (const [path, body] of [
        ['/api/check/search/subjects', { app, permission }],
        ['/api/check/search/resources', { email, app, permission, resourceType: 'order' }],
        ['/api/check/search/permissions', { email, app }],
        ['/api/check/effective', { email, app }],
        ['/api/check/explain', question],
      ] as const) {
        await eventually(`the replica answers ${path}`, async () => {
          const before = await reads('answered')
          const { status } = await service.send('POST', path, body)
          assert.equal(status, 200, path)
          return (await reads('answered')) > before
        })
      }
    })
  })
}
