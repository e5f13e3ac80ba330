import type { ApiClient } from '@japa/api-client'
import router from '@adonisjs/core/services/router'
import { test } from '@japa/runner'
import { eventually } from '#tests/helpers/eventually'
import { uniqueEmail } from '#tests/helpers/people'
import { freePort } from '#tests/world/free_port'
import { INTERNAL_KEY, issuer } from '#tests/world/prepare'
import { type RunningService, startService } from '#tests/world/service'

const BODY = {
  email: 'ada@tests.example',
  app: 'auth',
  permission: 'read',
  permissions: ['read'],
  resourceType: 'document',
}

/** See authentication.md#private-network. */
const checkRoutes = () =>
  router
    .toJSON()
    .root.map(({ pattern }) => pattern)
    .filter((pattern) => pattern === '/api/check' || pattern.startsWith('/api/check/'))

function checking(client: ApiClient, url = '', headers: Record<string, string> = {}) {
  const request = client.post(`${url}/api/check`).json(BODY)
  for (const [name, value] of Object.entries(headers)) request.header(name, value)
  return request.send()
}

const isListening = (url: string) =>
  fetch(`${url}/api/health/live`).then(
    ({ ok }) => ok,
    () => false
  )

test.group('Checks without authentication', () => {
  test('are available on the private network', async ({ assert, client }) => {
    assert.includeMembers(checkRoutes(), [
      '/api/check',
      '/api/check/bulk',
      '/api/check/effective',
      '/api/check/cache/clear',
      '/api/check/search/subjects',
    ])
    for (const pattern of checkRoutes()) {
      const response = await client.post(pattern).json(BODY)
      response.assertStatus(200)
    }
  })

  const forwarded: Record<string, Record<string, string>> = {
    'X-Forwarded-For from outside': { 'X-Forwarded-For': '203.0.113.9' },
    'X-Forwarded-For that claims loopback': { 'X-Forwarded-For': '127.0.0.1' },
    'X-Forwarded-For that claims the private network': { 'x-forwarded-for': '10.0.0.5, 10.0.0.6' },
    'an empty X-Forwarded-For': { 'X-Forwarded-For': '' },
    'X-Forwarded-For that is no address': { 'X-Forwarded-For': 'unknown' },
    'Forwarded': { Forwarded: 'for=127.0.0.1' },
    'an empty Forwarded': { Forwarded: '' },
    'Forwarded and X-Forwarded-For': { 'Forwarded': 'for=_x', 'X-Forwarded-For': '127.0.0.1' },
  }

  test('return 403 for a request with {$self} from an untrusted proxy')
    .with(Object.keys(forwarded))
    .run(async ({ client }, name) => {
      for (const pattern of checkRoutes()) {
        const request = client.post(pattern).json(BODY)
        for (const [header, value] of Object.entries(forwarded[name])) request.header(header, value)
        const response = await request
        response.assertProblem(403, 'FORBIDDEN')
      }
    })

  test('are refused before the body is read', async ({ client }) => {
    const response = await client
      .post('/api/check')
      .header('x-forwarded-for', '127.0.0.1')
      .header('content-type', 'application/json')
      .setup((request) => void request.request.send('{"broken'))
    response.assertProblem(403, 'FORBIDDEN')
  })

  test('of the caller’s own permissions are available on any network', async ({ client }) => {
    const response = await client
      .post('/api/profile/me/check')
      .header('x-forwarded-for', '203.0.113.9')
      .header('authorization', `Bearer ${await issuer.token(uniqueEmail())}`)
      .json({ app: 'shop', permission: 'read' })
    response.assertStatus(200)
  })
})

test.group('Checks behind a trusted proxy', (group) => {
  let service: RunningService

  group.setup(async () => {
    service = await startService({
      TRUSTED_PROXIES: '127.0.0.1, 192.168.7.0/24',
      CHECK_ALLOWED_NETWORKS: '10.0.0.0/8,2001:db8::/32',
    })
    return async () => void (await service.stop())
  })

  const allowed: Record<string, Record<string, string>> = {
    'an allowed address': { 'X-Forwarded-For': '10.1.2.3' },
    'an allowed address with a port': { 'X-Forwarded-For': '10.1.2.3:8080' },
    'an allowed address after a chain of trusted proxies': {
      'X-Forwarded-For': '10.1.2.3, 192.168.7.7, 127.0.0.1',
    },
    'an allowed address that someone outside tried to replace': {
      'X-Forwarded-For': '203.0.113.9, 10.1.2.3',
    },
    'an allowed IPv6 address': { 'X-Forwarded-For': '2001:db8::7' },
    'an allowed address in IPv6 clothes': { 'X-Forwarded-For': '::ffff:10.1.2.3' },
    'an allowed address beside Forwarded': {
      'X-Forwarded-For': '10.1.2.3',
      'Forwarded': 'for=203.0.113.9',
    },
  }

  test('respond to {$self}')
    .with(Object.keys(allowed))
    .run(async ({ client }, name) => {
      const response = await checking(client, service.url, allowed[name])
      response.assertStatus(200)
    })

  const refused: Record<string, Record<string, string>> = {
    'an address outside the allowed networks': { 'X-Forwarded-For': '203.0.113.9' },
    'a private address the operator did not allow': { 'X-Forwarded-For': '172.16.0.1' },
    'an outsider who claims to be an insider': { 'X-Forwarded-For': '10.1.2.3, 203.0.113.9' },
    'an outsider who claims to be an insider behind a proxy': {
      'X-Forwarded-For': '10.1.2.3, 203.0.113.9, 192.168.7.7',
    },
    'the trusted proxy itself, which is no allowed caller': { 'X-Forwarded-For': '192.168.7.7' },
    'no address at all': {},
    'an empty address': { 'X-Forwarded-For': '' },
    'text that is no address': { 'X-Forwarded-For': 'unknown' },
    'a disallowed address with a port': { 'X-Forwarded-For': '10.1.2.3:1, 203.0.113.9:8080' },
    'an address with an invalid port': { 'X-Forwarded-For': '10.1.2.3:x' },
    'Forwarded alone, which is not read': { Forwarded: 'for=10.1.2.3' },
  }

  test('are 403 to {$self}')
    .with(Object.keys(refused))
    .run(async ({ client }, name) => {
      const response = await checking(client, service.url, refused[name])
      response.assertProblem(403, 'FORBIDDEN')
    })
})

test.group('The internal listener', (group) => {
  let service: RunningService
  let internalUrl: string

  group.setup(async () => {
    const port = await freePort()
    internalUrl = `http://127.0.0.1:${port}`
    service = await startService({ INTERNAL_PORT: String(port) })
    await eventually('the internal listener responds', () => isListening(internalUrl))
    return async () => void (await service.stop())
  })

  const internalRoutes = () =>
    router.toJSON().root.filter(({ pattern }) => /^\/api\/(?:check|internal)(?:\/|$)/.test(pattern))

  test('serves checks and internal endpoints, for which the public listener returns 404', async ({
    assert,
    client,
  }) => {
    assert.isAbove(internalRoutes().length, 5)
    for (const { methods, pattern } of internalRoutes()) {
      const send = (url: string) =>
        client
          // A page of the change feed ends, but not its stream.
          .request(`${url}${pattern}?limit=1`, methods[0])
          .header('x-internal-api-key', INTERNAL_KEY)
          .json(BODY)
          .send()
      const outside = await send(service.url)
      outside.assertProblem(404, 'NOT_FOUND')
      const otherMethod = await client.request(service.url + pattern, 'PATCH').send()
      otherMethod.assertProblem(404, 'NOT_FOUND')
      const inside = await send(internalUrl)
      // Unknown resources return 404 as well, but with another code.
      assert.notEqual(inside.body().code, 'NOT_FOUND', pattern)
    }
  })

  test('serves checks', async ({ client }) => {
    const response = await checking(client, internalUrl)
    response.assertStatus(200)
    response.assertBody({ data: { allowed: false } })
  })

  test('requires the internal key and the private network', async ({ client }) => {
    const keyless = await client.put(`${internalUrl}/api/internal/auth/profile-sync`).json({})
    keyless.assertProblem(401, 'UNAUTHENTICATED')
    const forwarded = await checking(client, internalUrl, { 'X-Forwarded-For': '127.0.0.1' })
    forwarded.assertProblem(403, 'FORBIDDEN')
  })

  test('serves nothing else', async ({ client }) => {
    const response = await client
      .get(`${service.url}/api/profile/me`)
      .header('authorization', `Bearer ${await issuer.token(uniqueEmail())}`)
    response.assertStatus(200)
  })

  test('listens only on loopback unless INTERNAL_HOST is set', async ({ assert }) => {
    const elsewhere = internalUrl.replace('127.0.0.1', '127.0.0.2')
    assert.isFalse(await isListening(elsewhere))
  })

  test('stops with the service', async ({ assert }) => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const another = await startService({ INTERNAL_PORT: String(port) })
    await eventually('the internal listener responds', () => isListening(url))
    assert.equal(await another.stop(), 0)
    assert.isFalse(await isListening(url))
  })
})
