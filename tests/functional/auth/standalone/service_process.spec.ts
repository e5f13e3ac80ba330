import { test } from '@japa/runner'
import { startService } from '#tests/world/service'

test.group('A service process', () => {
  test('becomes ready and exits with 0 on SIGTERM at any time', async ({ assert, cleanup }) => {
    const service = await startService()
    cleanup(async () => void (await service.stop()))
    const live = await fetch(`${service.url}/api/health/live`)
    assert.equal(live.status, 200)

    assert.equal(await service.stop(), 0)
    await assert.rejects(() => fetch(`${service.url}/api/health/live`))
  })

  test('reports a failed start', async ({ assert }) => {
    await assert.rejects(
      () => startService({ TRUSTED_PROXIES: 'the-moon' }),
      /"the-moon" is not an address or a CIDR range/
    )
  })
})
