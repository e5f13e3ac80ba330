import { test } from '@japa/runner'
import { startService } from '#tests/world/service'

test.group('A process of the service', () => {
  test('becomes ready, and on SIGTERM ends with 0, however early', async ({ assert, cleanup }) => {
    const service = await startService()
    cleanup(async () => void (await service.stop()))
    const live = await fetch(`${service.url}/api/health/live`)
    assert.equal(live.status, 200)

    assert.equal(await service.stop(), 0)
    await assert.rejects(() => fetch(`${service.url}/api/health/live`))
  })

  test('that cannot start says so instead of keeping its caller waiting', async ({ assert }) => {
    await assert.rejects(
      () => startService({ TRUSTED_PROXIES: 'the-moon' }),
      /"the-moon" is not an address or a CIDR range/
    )
  })
})
