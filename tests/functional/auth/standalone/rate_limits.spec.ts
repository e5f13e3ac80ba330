import type { ApiClient, ApiRequest } from '@japa/api-client'
import { test } from '@japa/runner'
import { uniqueEmail } from '#tests/helpers/people'
import { INTERNAL_KEY, WEBHOOK_SECRET, issuer } from '#tests/world/prepare'
import { type RunningService, startService } from '#tests/world/service'

const CHECK = { email: 'ada@tests.example', app: 'shop', permission: 'read' }

const asPerson = async (client: ApiClient, url: string, email: string) =>
  client
    .get(url)
    .header('authorization', `Bearer ${await issuer.token(email)}`)
    .send()
const internally = (client: ApiClient, service: RunningService): ApiRequest =>
  client
    .post(`${service.url}/api/internal/auth/application-events`)
    .header('x-internal-api-key', INTERNAL_KEY)
    .json({ email: uniqueEmail(), appCode: 'auth', event: 'login' })
const asProvider = (
  client: ApiClient,
  service: RunningService,
  secret = WEBHOOK_SECRET
): ApiRequest =>
  client
    .post(`${service.url}/api/idp/webhook`)
    .header('x-webhook-secret', secret)
    .json({ eventType: 'something.else' })
const checking = (client: ApiClient, service: RunningService): ApiRequest =>
  client.post(`${service.url}/api/check`).json(CHECK)

async function statusesOf(count: number, send: () => ApiRequest) {
  const statuses = []
  for (let i = 0; i < count; i++) statuses.push((await send()).status())
  return statuses
}

test.group('Rate limits', (group) => {
  let service: RunningService

  group.setup(async () => {
    service = await startService({
      RATE_LIMIT_TOKEN: '3',
      RATE_LIMIT_INTERNAL: '2',
      RATE_LIMIT_WEBHOOK: '4',
      RATE_LIMIT_CHECK: '1',
    })
    return async () => void (await service.stop())
  })

  test('apply to own checks, also once the token is known', async ({ assert, client }) => {
    const token = await issuer.token(uniqueEmail())
    const check = () =>
      client
        .post(`${service.url}/api/profile/me/check`)
        .header('authorization', `Bearer ${token}`)
        .json({ app: 'shop', permission: 'read' })
    assert.deepEqual(await statusesOf(5, check), [200, 200, 200, 429, 429])
  })

  test('apply per user across all routes and return Retry-After', async ({ assert, client }) => {
    const email = uniqueEmail()
    for (const path of ['/api/profile/me', '/api/profile/me/admin-status', '/api/applications']) {
      const response = await asPerson(client, service.url + path, email)
      response.assertStatus(200)
    }
    const limited = await asPerson(client, `${service.url}/api/profile/me`, email)
    limited.assertProblem(429, 'RATE_LIMITED')
    assert.match(limited.header('retry-after')!, /^(?:[1-9]|[1-5]\d|60)$/)

    const another = await asPerson(client, `${service.url}/api/profile/me`, uniqueEmail())
    another.assertStatus(200)
  })

  test('of one user cannot be exhausted without a token', async ({ client }) => {
    const email = uniqueEmail()
    for (let i = 0; i < 5; i++) {
      const response = await client
        .get(`${service.url}/api/profile/me`)
        .header('authorization', `Bearer ${await issuer.token(email, { claims: { aud: 'x' } })}`)
      response.assertStatus(401)
    }
    const response = await asPerson(client, `${service.url}/api/profile/me`, email)
    response.assertStatus(200)
  })

  test('apply per authentication class', async ({ assert, client }) => {
    assert.deepEqual(await statusesOf(3, () => internally(client, service)), [200, 200, 429])
    assert.deepEqual(await statusesOf(2, () => checking(client, service)), [200, 429])
    const provider = await statusesOf(5, () => asProvider(client, service))
    assert.deepEqual(provider, [200, 200, 200, 200, 429])

    for (const request of [internally, checking, asProvider]) {
      const response = await request(client, service)
      response.assertProblem(429, 'RATE_LIMITED')
      assert.match(response.header('retry-after')!, /^[1-9]\d?$/)
    }
    // An address in a header from an untrusted client does not count as another caller.
    for (const request of [internally, asProvider]) {
      const disguised = await request(client, service).header('x-forwarded-for', '10.9.8.7')
      disguised.assertProblem(429, 'RATE_LIMITED')
    }
  })

  test('do not apply to health endpoints', async ({ assert, client }) => {
    const statuses = await statusesOf(10, () => client.get(`${service.url}/api/health/ready`))
    assert.isTrue(statuses.every((status) => status === 200))
  })
})

test.group('Rate limits by default', () => {
  test('do not apply to checks', async ({ assert, client }) => {
    const responses = await Promise.all(
      Array.from({ length: 300 }, () => client.post('/api/check').json(CHECK).send())
    )
    assert.isTrue(responses.every((response) => response.status() === 200))
  })
})

test.group('Rate limits behind a trusted proxy', (group) => {
  let service: RunningService

  group.setup(async () => {
    service = await startService({
      TRUSTED_PROXIES: '127.0.0.1',
      RATE_LIMIT_WEBHOOK: '2',
      RATE_LIMIT_PUBLIC: '2',
      RATE_LIMIT_TOKEN: '0',
    })
    return async () => void (await service.stop())
  })

  test('count the caller, not the proxy', async ({ assert, client }) => {
    const from = (address: string) => () =>
      asProvider(client, service).header('x-forwarded-for', address)
    assert.deepEqual(await statusesOf(3, from('10.0.0.1')), [200, 200, 429])
    assert.deepEqual(await statusesOf(3, from('10.0.0.2')), [200, 200, 429])
  })

  test('of the provider cannot be exhausted without its secret', async ({ assert, client }) => {
    const address = '10.0.0.3'
    const discovering = () =>
      client.get(`${service.url}/api/idp/discovery`).header('x-forwarded-for', address)
    const guessing = () => asProvider(client, service, 'a guess').header('x-forwarded-for', address)
    const reporting = () => asProvider(client, service).header('x-forwarded-for', address)
    assert.deepEqual(await statusesOf(3, discovering), [200, 200, 429])
    assert.deepEqual(await statusesOf(3, guessing), [401, 401, 401])
    assert.deepEqual(await statusesOf(3, reporting), [200, 200, 429])
  })

  test('are off at 0', async ({ assert, client }) => {
    const email = uniqueEmail()
    const responses = await Promise.all(
      Array.from({ length: 30 }, () => asPerson(client, `${service.url}/api/profile/me`, email))
    )
    assert.isTrue(responses.every((response) => response.status() === 200))
  })
})
