import { test } from '@japa/runner'
import { APP, allowedIn, ask, here, preflight } from '#tests/helpers/cross_origin'
import { uniqueEmail } from '#tests/helpers/people'
import { issuer } from '#tests/world/prepare'
import { startProductionService } from '#tests/world/production_service'
import type { RunningService, ServiceSettings } from '#tests/world/service'

const crossOriginIn = ({ headers }: { headers: Record<string, string> }) =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'))

const OPEN = [
  '/api/profile/me',
  '/api/profile/me/check',
  '/api/profile/me/apps/auth',
  '/api/idp/health',
  '/api/idp/discovery',
  '/api/openapi.json',
]
const CLOSED = [
  '/api/check',
  '/api/check/bulk',
  '/api/%63heck',
  '/api/internal/notifications',
  '/api/idp/notifications/email',
  '/api/idp/webhook',
  '/api/idp/admin/orgs',
  '/api/users',
  '/api/admin/notifications/types/auth',
  '/api/applications',
  '/api/profile/ada@acme.example',
  '/metrics',
  '/docs',
  '/api/health/live',
  '/api/unsubscribe/x',
  '/api/profile/media',
  '/api/openapi.json.bak',
  '/api/idp/healthy',
]

test.group('Pages of an allowed origin', (group) => {
  let service: RunningService
  const running: RunningService[] = []

  const start = async (settings: ServiceSettings) => {
    const started = await startProductionService(settings)
    running.push(started)
    return started
  }

  group.setup(async () => {
    service = await start({
      CORS_ALLOWED_ORIGINS: `${APP}, https://other.example:8443`,
      CHECK_ON_PUBLIC_PORT: 'true',
    })
    return async () => void (await Promise.all(running.map((one) => one.stop())))
  })

  test('may send preflight requests, which are cached for an hour and have no effect', async ({
    assert,
  }) => {
    for (const path of [...OPEN, '/%61pi/profile/me', '/api/profile/me/']) {
      const { status, headers, body } = await preflight(service.url, path)
      assert.equal(status, 204, path)
      assert.equal(body, '')
      assert.equal(headers['access-control-allow-origin'], APP, path)
      assert.equal(headers['access-control-max-age'], '3600')
      assert.match(headers['access-control-allow-methods'], /\b(?:GET|POST)\b/)
      assert.include(headers['access-control-allow-headers'], 'Authorization')
      assert.include(headers['access-control-allow-headers'], 'Content-Type')
      assert.include(headers.vary, 'Origin')
      assert.notProperty(headers, 'access-control-allow-credentials')
    }
    const { headers } = await preflight(service.url, '/api/profile/me')
    assert.equal(headers['access-control-allow-methods'], 'GET, HEAD, PUT, OPTIONS')
  })

  test('may read responses and the headers they need, without cookies', async ({ assert }) => {
    const token = await issuer.token(uniqueEmail())
    const headers = { authorization: `Bearer ${token}` }
    for (const origin of [APP, 'https://other.example:8443']) {
      const response = await ask(service.url, { origin, headers })
      assert.equal(response.status, 200)
      assert.equal(allowedIn(response), origin)
      assert.equal(
        response.headers['access-control-expose-headers'],
        'Concierge-Revision, ETag, Link, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-Request-Id, X-Total-Count'
      )
      assert.include(response.headers.vary, 'Origin')
      assert.notProperty(response.headers, 'access-control-allow-credentials')
    }
  })

  test('may read why they were refused', async ({ assert }) => {
    const limited = await start({ CORS_ALLOWED_ORIGINS: APP, RATE_LIMIT_FAILED_AUTH: '1' })
    const token = `Bearer ${await issuer.token(uniqueEmail())}`
    const json = { 'authorization': token, 'content-type': 'application/json' }
    const refused = {
      400: await ask(service.url, {
        method: 'PUT',
        headers: { ...json, 'content-length': '7' },
        body: '{broken',
      }),
      401: await ask(limited.url, { headers: { authorization: 'Bearer wrong' } }),
      404: await ask(service.url, { path: '/api/profile/me/nowhere' }),
      405: await ask(service.url, { method: 'DELETE' }),
      413: await ask(service.url, {
        method: 'PUT',
        headers: { ...json, 'content-length': '99999999' },
      }),
      429: await ask(limited.url, { headers: { authorization: token } }),
    }
    for (const [status, response] of Object.entries(refused)) {
      assert.equal(response.status, Number(status))
      assert.equal(allowedIn(response), APP, status)
    }
    const malformed = await ask(service.url, { path: '/api/profile/me/%zz' })
    assert.equal(malformed.status, 400)
    assert.equal(allowedIn(malformed), APP)
  })

  test('of other origins do not get these headers', async ({ assert }) => {
    for (const origin of [
      'null',
      'https://evil.example',
      'http://app.acme.example',
      `${APP}.evil.example`,
      `${APP}:8443`,
      `${APP}/`,
      'https://APP.acme.example',
      '*',
      '',
      `${APP}, ${APP}`,
      'http://localhost:5173',
      'http://127.0.0.1',
      'https://sub.app.acme.example',
      'file://',
    ]) {
      for (const response of [
        await ask(service.url, { origin }),
        await preflight(service.url, '/api/profile/me', origin),
      ]) {
        assert.deepEqual(crossOriginIn(response), [], origin)
        assert.include(response.headers.vary, 'Origin', origin)
      }
    }
  })

  test('may not call other endpoints', async ({ assert }) => {
    for (const path of CLOSED) {
      for (const response of [
        await preflight(service.url, path),
        await preflight(service.url, path, APP, 'POST'),
        await ask(service.url, { path }),
      ]) {
        assert.deepEqual(crossOriginIn(response), [], path)
        assert.notEqual(response.status, 204, path)
      }
    }
  })

  test('get responses that caches distinguish by origin', async ({ assert }) => {
    const description = await ask(service.url, {
      path: '/api/openapi.json',
      headers: { 'accept-encoding': 'br' },
    })
    assert.equal(description.headers.vary, 'Origin, Accept-Encoding')
  })

  test('are not allowed by default', async ({ assert }) => {
    const closed = await start({})
    for (const origin of [APP, 'http://localhost:5173', closed.url]) {
      assert.deepEqual(crossOriginIn(await preflight(closed.url, '/api/profile/me', origin)), [])
    }
  })
})

test.group('Pages of this machine', () => {
  test('are allowed outside production, on any port', async ({ assert }) => {
    for (const origin of [
      'http://localhost:5173',
      'http://127.0.0.1:8080',
      'http://[::1]:3000',
      'https://localhost',
      'http://shop.localhost:5173',
    ]) {
      assert.equal(allowedIn(await preflight(here(), '/api/profile/me', origin)), origin)
    }
    for (const origin of [
      'http://localhost.evil.example',
      'http://evil-localhost',
      'http://127.0.0.1.nip.io',
      'http://localhost:5173.evil.example',
      'http://localhost:999999',
      'null',
    ]) {
      assert.isUndefined(allowedIn(await preflight(here(), '/api/profile/me', origin)), origin)
    }
  })
})
