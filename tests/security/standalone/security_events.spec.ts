import { test } from '@japa/runner'
import { eventually } from '#tests/helpers/eventually'
import { logLines, securityEvents } from '#tests/helpers/log_lines'
import { uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { INTERNAL_KEY, NEXT_INTERNAL_KEY, issuer } from '#tests/world/prepare'
import { startProductionService } from '#tests/world/production_service'
import type { RunningService } from '#tests/world/service'

test.group('Access lines', (group) => {
  let service: RunningService

  group.setup(async () => {
    service = await startProductionService({ TRUSTED_PROXIES: '127.0.0.1' })
    return async () => void (await service.stop())
  })

  async function accessLine(path: string, headers: Record<string, string>) {
    const requestId = uniqueCode()
    const response = await fetch(service.url + path, {
      headers: { ...headers, 'x-request-id': requestId },
    })
    await response.arrayBuffer()
    return eventually('the access line is written', () =>
      logLines(service).find((line) => line.requestId === requestId && line.msg === 'request')
    )
  }

  test('name the user behind a token and the address that the proxy reports', async ({
    assert,
  }) => {
    const email = uniqueEmail()
    const token = await issuer.token(email)
    const line = await accessLine('/api/profile/me', {
      'authorization': `Bearer ${token}`,
      'x-forwarded-for': '198.51.100.1, 203.0.113.9',
    })
    assert.equal(line.caller, email)
    assert.equal(line.client, '203.0.113.9')
    assert.notInclude(service.output(), token)
  })

  test('name a user whose address holds quotes, as valid JSON', async ({ assert }) => {
    const email = `o'${uniqueCode()}"},{"level":60@tests.example`
    const token = await issuer.token(email)
    const line = await accessLine('/api/profile/me', { authorization: `Bearer ${token}` })
    assert.oneOf(line.caller, [email, undefined])
    assert.isFalse(logLines(service).some(({ level }) => level === 60))
  })

  test('name the key by its setting, never by its value', async ({ assert }) => {
    for (const [key, name] of [
      [INTERNAL_KEY, 'INTERNAL_API_KEY 1'],
      [NEXT_INTERNAL_KEY, 'INTERNAL_API_KEY 2'],
    ]) {
      const line = await accessLine('/api/internal/notifications/types', {
        'x-internal-api-key': key,
      })
      assert.equal(line.caller, name)
    }
    assert.notInclude(service.output(), INTERNAL_KEY)
    assert.notInclude(service.output(), NEXT_INTERNAL_KEY)
  })

  test('name no one without authentication', async ({ assert }) => {
    const line = await accessLine('/api/profile/me', { authorization: 'Bearer not.a.token' })
    assert.notProperty(line, 'caller')
    assert.equal(line.client, '127.0.0.1')
  })

  test('cannot be forged by an address that a proxy forwards', async ({ assert }) => {
    const line = await accessLine('/api/profile/me', {
      'x-forwarded-for': '1.2.3.4","level":60,"x":"',
    })
    assert.equal(line.client, '127.0.0.1')
    assert.isFalse(logLines(service).some(({ level }) => level === 60))
  })
})

test.group('Refusals', (group) => {
  let service: RunningService

  group.setup(async () => {
    service = await startProductionService({ RATE_LIMIT_TOKEN: '3' })
    return async () => void (await service.stop())
  })

  test('by a panel guard are logged with caller, address and route', async ({ assert }) => {
    const email = uniqueEmail()
    const requestId = uniqueCode()
    const response = await fetch(`${service.url}/api/users/admins`, {
      headers: {
        'authorization': `Bearer ${await issuer.token(email)}`,
        'x-request-id': requestId,
      },
    })
    assert.equal(response.status, 403)
    const event = await eventually('the event is logged', () =>
      securityEvents(service, 'forbidden').find(({ actor }) => actor === email)
    )
    assert.containSubset(event, {
      level: 40,
      address: '127.0.0.1',
      route: '/api/users/admins',
      code: 'FORBIDDEN',
      requestId,
    })
  })

  test('for too many requests are logged once a minute', async ({ assert }) => {
    const email = uniqueEmail()
    const authorization = `Bearer ${await issuer.token(email)}`
    const statuses: number[] = []
    for (let i = 0; i < 8; i++) {
      const response = await fetch(`${service.url}/api/profile/me`, { headers: { authorization } })
      await response.arrayBuffer()
      statuses.push(response.status)
    }
    assert.deepEqual(statuses, [200, 200, 200, 429, 429, 429, 429, 429])
    // Lines are written in order, so earlier lines have arrived.
    await fetch(`${service.url}/api/profile/me`, { headers: { authorization: 'Bearer last' } })
    await eventually('the last event is logged', () => securityEvents(service, 'auth_failed')[0])
    const events = securityEvents(service, 'rate_limited').filter(({ actor }) => actor === email)
    assert.lengthOf(events, 1)
    assert.containSubset(events[0], { limit: 'requests', route: '/api/profile/me' })
    assert.notInclude(service.output(), authorization.slice(7))
  })
})
