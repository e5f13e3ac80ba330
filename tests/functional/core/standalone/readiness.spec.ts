import { test } from '@japa/runner'
import { freePort } from '#tests/world/free_port'
import { startService } from '#tests/world/service'

test.group('Readiness', (group) => {
  group.each.timeout(90_000)

  test('is reported only once the internal port also listens', async ({ assert, cleanup }) => {
    const port = await freePort()
    const service = await startService({
      INTERNAL_PORT: String(port),
      NODE_OPTIONS: `${process.env.NODE_OPTIONS} --import=./tests/world/delay_internal_listener.ts`,
    })
    cleanup(async () => void (await service.stop()))
    const response = await fetch(`http://127.0.0.1:${port}/api/health/live`)
    assert.equal(response.status, 200)
  })

  test('is 503 STARTING while the process starts', async ({ assert, cleanup }) => {
    const publicPort = await freePort()
    const starting = startService({
      PORT: String(publicPort),
      INTERNAL_PORT: String(await freePort()),
      NODE_OPTIONS: `${process.env.NODE_OPTIONS} --import=./tests/world/delay_internal_listener.ts`,
    })
    cleanup(async () => void (await (await starting).stop()))
    const codes = new Set<string | undefined>()
    for (;;) {
      const response = await fetch(`http://127.0.0.1:${publicPort}/api/health/ready`).catch(
        () => null
      )
      if (response === null) continue
      const { code } = (await response.json()) as { code?: string }
      codes.add(code)
      if (response.ok) break
    }
    assert.sameMembers([...codes], ['STARTING', undefined])
  })
})
