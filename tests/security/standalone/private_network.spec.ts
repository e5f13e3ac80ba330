import type { OutgoingHttpHeaders } from 'node:http'
import { test } from '@japa/runner'
import { eventually } from '#tests/helpers/eventually'
import { securityEvents } from '#tests/helpers/log_lines'
import { freePort } from '#tests/world/free_port'
import { INTERNAL_KEY } from '#tests/world/prepare'
import { startProductionService } from '#tests/world/production_service'
import { RawConnection, lastResponse } from '#tests/world/raw_connection'
import { type RunningService, startService } from '#tests/world/service'

const BODY = JSON.stringify({ email: 'ada@tests.example', app: 'shop', permission: 'read' })

const SPELLINGS = [
  '/api/check',
  '/api/check/',
  '//api/check',
  '/api//check',
  '/api/check//',
  '/./api/check',
  '/api/%63heck',
  '/%61pi/check',
  '/%61%70%69/%63%68%65%63%6b',
  '/api%2Fcheck',
  '/api/check%2F',
  '/API/CHECK',
  '/api/Check',
  '/api/check;a=b',
  '/api;x/check',
  '/api/./check',
  '/api/x/../check',
  '/api/check?x=/api/health/live',
  '/api/check#/api/health/live',
  '/api/%2563heck',
  '/api/%2e/check',
  '/api/profile/../check',
  '/api/check%00',
  '/api/check%20',
  '\\api\\check',
  '/api/check/bulk',
  '/api/check/%62ulk',
  '/api/check/effective',
  '/api/check/explain',
  '/api/check/cache/clear',
  '/api/check/cache/%63lear',
  'http://127.0.0.1/api/check',
]

/** Sends the path verbatim, without the normalisation of a client. */
async function send(
  url: string,
  path: string,
  { method = 'POST', headers = {} }: { method?: string; headers?: OutgoingHttpHeaders } = {}
) {
  const connection = await RawConnection.to(url)
  const lines = Object.entries({
    'host': new URL(url).host,
    'content-type': 'application/json',
    'content-length': BODY.length,
    'connection': 'close',
    ...headers,
  }).map(([name, value]) => `${name}: ${String(value)}\r\n`)
  connection.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${BODY}`)
  return lastResponse(await connection.closed())
}

const codeOf = ({ body }: { body: string }) => (JSON.parse(body) as { code: string }).code

test.group('A request with a proxy header', () => {
  const signs: OutgoingHttpHeaders[] = [
    { Forwarded: 'for=10.0.0.5' },
    { 'X-Forwarded-For': '10.0.0.5' },
    { 'X-Real-IP': '10.0.0.5' },
    { 'X-Forwarded-Host': 'x' },
    { 'X-Forwarded-Proto': 'https' },
    { 'X-Forwarded-Port': '1' },
    { 'X-Forwarded-Server': 'x' },
    { 'x-forwarded-anything': '' },
    { VIA: '1.1 edge' },
    { 'CF-Connecting-IP': '127.0.0.1' },
    { 'True-Client-IP': '127.0.0.1' },
    { 'X-Envoy-External-Address': '127.0.0.1' },
    { 'CloudFront-Viewer-Address': '127.0.0.1:4711' },
    { 'DO-Connecting-IP': '127.0.0.1' },
    { Via: '' },
  ]

  test('never reaches checks or metrics through an untrusted proxy: {name}')
    .with(signs.map((headers) => ({ name: Object.keys(headers)[0], headers })))
    .run(async ({ assert }, { headers }) => {
      const url = `http://127.0.0.1:${process.env.PORT}`
      for (const [method, path] of [
        ['POST', '/api/check'],
        ['POST', '/api/%63heck'],
        ['POST', '/api/check/explain'],
        ['POST', '/api/check/cache/clear'],
        ['GET', '/metrics'],
        ['GET', '/%6detrics'],
      ]) {
        const response = await send(url, path, { method, headers })
        assert.equal(response.status, 403, path)
        assert.equal(codeOf(response), 'FORBIDDEN')
      }
    })

  test('is allowed by X-Forwarded-For only if a trusted proxy sent it', async ({
    assert,
    cleanup,
  }) => {
    const service = await startService({
      TRUSTED_PROXIES: '127.0.0.1',
      CHECK_ALLOWED_NETWORKS: '10.0.0.0/8',
    })
    cleanup(async () => void (await service.stop()))
    for (const [headers, status] of [
      [{ 'via': '1.1 edge', 'x-forwarded-for': '10.0.0.5' }, 200],
      [{ 'x-real-ip': '203.0.113.9', 'x-forwarded-for': '10.0.0.5' }, 200],
      [{ 'x-real-ip': '10.0.0.5', 'x-forwarded-for': '203.0.113.9' }, 403],
      [{ 'cf-connecting-ip': '10.0.0.5', 'x-forwarded-for': '10.0.0.5, 203.0.113.9' }, 403],
      [{ 'x-real-ip': '10.0.0.5' }, 403],
      [{ 'true-client-ip': '10.0.0.5' }, 403],
      [{ via: '1.1 edge' }, 403],
    ] as const) {
      const response = await send(service.url, '/api/check', { headers })
      assert.equal(response.status, status, JSON.stringify(headers))
    }
  })
})

test.group('All spellings of the check path', () => {
  test('are guarded or not found', async ({ assert }) => {
    const url = `http://127.0.0.1:${process.env.PORT}`
    for (const path of SPELLINGS) {
      const inside = await send(url, path)
      const outside = await send(url, path, { headers: { 'x-forwarded-for': '203.0.113.9' } })
      assert.oneOf(outside.status, [400, 403, 404], path)
      if (inside.status === 200) assert.equal(outside.status, 403, path)
      if (outside.status !== 403) assert.equal(inside.status, outside.status, path)
    }
  })
})

test.group('Checks and metrics in production', (group) => {
  let service: RunningService
  let internalUrl: string
  const services: RunningService[] = []

  async function start(settings: Record<string, string>) {
    const started = await startProductionService(settings)
    services.push(started)
    return started
  }

  async function startWithInternalListener(settings: Record<string, string> = {}) {
    const port = await freePort()
    const started = await start({ INTERNAL_PORT: String(port), ...settings })
    return { service: started, internalUrl: `http://127.0.0.1:${port}` }
  }

  group.setup(async () => {
    ;({ service, internalUrl } = await startWithInternalListener())
    return async () => void (await Promise.all(services.map((one) => one.stop())))
  })

  test('are 404 on the public port, for all methods and spellings', async ({ assert }) => {
    const bare = await start({})
    for (const { url } of [service, bare]) {
      for (const path of [...SPELLINGS, '/metrics', '/metrics/', '/%6detrics']) {
        for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
          const response = await send(url, path, { method })
          assert.oneOf(response.status, [400, 404], `${method} ${path}`)
          assert.notProperty(response.headers, 'allow', `${method} ${path}`)
        }
      }
    }
  })

  test('are served on the internal port, to the private network', async ({ assert }) => {
    assert.equal((await send(internalUrl, '/api/check')).status, 200)
    assert.equal((await send(internalUrl, '/metrics', { method: 'GET' })).status, 200)
    const headers = { 'x-real-ip': '127.0.0.1' }
    assert.equal((await send(internalUrl, '/api/check', { headers })).status, 403)
    assert.equal((await send(internalUrl, '/metrics', { method: 'GET', headers })).status, 403)
  })

  test('keep internal endpoints on the public port if it is the only one', async ({ assert }) => {
    const bare = await start({})
    const headers = { 'x-internal-api-key': INTERNAL_KEY }
    const path = '/api/internal/notifications/types?appCode=auth'
    assert.equal((await send(bare.url, path, { method: 'GET', headers })).status, 200)
    assert.equal((await send(service.url, path, { method: 'GET', headers })).status, 404)
    assert.equal((await send(internalUrl, path, { method: 'GET', headers })).status, 200)
  })

  test('are served on the public port if configured', async ({ assert }) => {
    const open = await startWithInternalListener({ CHECK_ON_PUBLIC_PORT: 'true' })
    for (const url of [open.service.url, open.internalUrl]) {
      assert.equal((await send(url, '/api/check')).status, 200)
      assert.equal((await send(url, '/metrics', { method: 'GET' })).status, 200)
      const headers = { via: '1.1 edge' }
      assert.equal((await send(url, '/api/check', { headers })).status, 403)
    }
    const without = await start({ CHECK_ON_PUBLIC_PORT: 'true' })
    assert.equal((await send(without.url, '/api/check')).status, 200)
  })

  test('log refused callers', async () => {
    const open = await start({ CHECK_ON_PUBLIC_PORT: 'true' })
    await send(open.url, '/api/check', { headers: { 'x-real-ip': '127.0.0.1' } })
    await eventually('the event is logged', () =>
      securityEvents(open, 'forbidden').some(
        ({ address, route, code }) =>
          address === '127.0.0.1' && route === '/api/check' && code === 'FORBIDDEN'
      )
    )
  })
})

test.group('Check keys', (group) => {
  const KEYS = ['a-check-key-of-the-tests-0123456789ab', 'another-check-key-of-the-tests-01234']
  let service: RunningService

  group.setup(async () => {
    service = await startProductionService({
      CHECK_KEYS: KEYS.join(' , '),
      CHECK_ON_PUBLIC_PORT: 'true',
    })
    return async () => void (await service.stop())
  })

  const routes = [
    ['POST', '/api/check'],
    ['POST', '/api/check/bulk'],
    ['POST', '/api/check/effective'],
    ['POST', '/api/check/explain'],
    ['POST', '/api/check/cache/clear'],
    ['GET', '/metrics'],
  ]

  test('give access to checks and metrics', async ({ assert }) => {
    for (const key of KEYS) {
      for (const [method, path] of routes) {
        const response = await send(service.url, path, { method, headers: { 'x-check-key': key } })
        // The body lacks the permissions of a bulk check.
        assert.equal(response.status, path.endsWith('bulk') ? 400 : 200, path)
      }
    }
  })

  test('that are missing or wrong are 401, before the body is read', async ({ assert }) => {
    for (const headers of [
      {},
      { 'x-check-key': '' },
      { 'x-check-key': 'wrong' },
      { 'x-check-key': KEYS.join(',') },
      { 'x-check-key': KEYS[0].toUpperCase() },
      { 'x-check-key': `${KEYS[0]}x` },
      { 'x-internal-api-key': INTERNAL_KEY },
    ]) {
      for (const [method, path] of routes) {
        const response = await send(service.url, path, { method, headers })
        assert.equal(response.status, 401, path)
        assert.equal(codeOf(response), 'UNAUTHENTICATED')
        assert.include(response.headers['www-authenticate'], 'X-Check-Key')
      }
    }
  })

  test('do not replace the private network', async ({ assert }) => {
    const headers = { 'x-check-key': KEYS[0], 'x-forwarded-for': '127.0.0.1' }
    assert.equal((await send(service.url, '/api/check', { headers })).status, 403)
  })

  test('are not required by other endpoints', async ({ assert }) => {
    assert.equal((await send(service.url, '/api/health/live', { method: 'GET' })).status, 200)
  })

  test('are never logged', async ({ assert }) => {
    for (const key of KEYS) assert.notInclude(service.output(), key)
  })
})
