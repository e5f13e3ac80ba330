import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import router from '@adonisjs/core/services/router'
import { test } from '@japa/runner'
import { uniqueEmail } from '#tests/helpers/people'
import { credentials } from '#tests/helpers/send'
import { TestHttpServer, sendJson } from '#tests/world/http_server'
import { issuer } from '#tests/world/prepare'
import { startProductionService } from '#tests/world/production_service'
import { RawConnection, lastResponse } from '#tests/world/raw_connection'
import { type RunningService, type ServiceSettings, startService } from '#tests/world/service'

const running: RunningService[] = []

async function start(settings: ServiceSettings, begin = startService) {
  const service = await begin(settings)
  running.push(service)
  return service
}

const stopAll = async () => void (await Promise.all(running.splice(0).map((one) => one.stop())))

async function raw(url: string, text: string) {
  const connection = await RawConnection.to(url)
  return lastResponse(await connection.write(text).closed())
}

const get = (url: string, path: string, headers = '') =>
  raw(url, `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${headers}\r\n`)

test.group('Every response', (group) => {
  const APP_URL = 'https://concierge.acme.example'
  let service: RunningService

  group.setup(async () => {
    service = await start({ APP_URL, CHECK_ON_PUBLIC_PORT: 'true' }, startProductionService)
    return stopAll
  })

  test('forbids content sniffing and requires https', async ({ assert }) => {
    const token = await issuer.token(uniqueEmail())
    const responses = {
      'a page': await get(service.url, '/docs'),
      'a script': await get(service.url, '/docs/start.js'),
      'a description': await get(service.url, '/api/openapi.json'),
      'health': await get(service.url, '/api/health/live'),
      'metrics': await get(service.url, '/metrics'),
      'a profile': await get(service.url, '/api/profile/me', `authorization: Bearer ${token}\r\n`),
      '401': await get(service.url, '/api/profile/me'),
      '404': await get(service.url, '/nowhere'),
      '405': await raw(service.url, 'PATCH /docs HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'),
      'a broken escape': await get(service.url, '/api/%zz'),
      'no host': await raw(service.url, 'GET /docs HTTP/1.1\r\nconnection: close\r\n\r\n'),
      'no request': await raw(service.url, 'NONSENSE\r\n\r\n'),
      'an expectation': await get(service.url, '/docs', 'expect: the-unexpected\r\n'),
    }
    for (const [name, { status, headers }] of Object.entries(responses)) {
      assert.equal(headers['x-content-type-options'], 'nosniff', name)
      assert.match(headers['strict-transport-security'] ?? '', /^max-age=\d{8}/, name)
      assert.isAbove(status, 199, name)
    }
  })

  test('requires https only if the service uses it', async ({ assert }) => {
    const { headers } = await get(`http://127.0.0.1:${process.env.PORT}`, '/api/health/live')
    assert.notProperty(headers, 'strict-transport-security')
    assert.equal(headers['x-content-type-options'], 'nosniff')
  })

  test('is not cached, except for what is public', async ({ assert }) => {
    const url = `http://127.0.0.1:${process.env.PORT}`
    const { authorization } = await credentials('token')
    const { 'x-internal-api-key': key } = await credentials('internal')
    for (const { pattern, methods } of Object.values(router.toJSON()).flat()) {
      // Streams would not end: this makes a page of the change feed, and is refused by an inbox.
      const path = `${pattern.replaceAll(/:\w+/g, '1')}?limit=1&lastEventId=x`
      const response = await raw(
        url,
        `${methods[0]} ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: ${authorization}\r\n` +
          `x-internal-api-key: ${key}\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}`
      )
      const isPublic =
        /^\/(?:docs|api\/openapi\.json|concierge-inbox\.js)/.test(pattern) &&
        response.status === 200
      assert.match(
        response.headers['cache-control'] ?? '',
        isPublic ? /^public, (?:no-cache|max-age=\d+)$/ : /^no-store$/,
        `${methods[0]} ${pattern}`
      )
    }
  })
})

test.group('The API reference', (group) => {
  const PATHS = [
    '/docs',
    '/docs/',
    '/docs/scalar.js',
    '/docs/start.js',
    '/docs/errors/NOT_FOUND',
    '/api/openapi.json',
    '/%64ocs',
    '/docs/%65rrors/NOT_FOUND',
    '/api/openapi.json?x',
  ]
  const FROM_OUTSIDE = 'x-forwarded-for: 203.0.113.9\r\n'
  group.teardown(stopAll)

  test('is public by default', async ({ assert }) => {
    for (const path of PATHS) {
      const { status } = await get(`http://127.0.0.1:${process.env.PORT}`, path, FROM_OUTSIDE)
      assert.equal(status, 200, path)
    }
  })

  test('is limited to the private network if DOCS is private', async ({ assert }) => {
    const { url } = await start({ DOCS: 'private' })
    for (const path of PATHS) {
      const inside = await get(url, path)
      assert.equal(inside.status, 200, path)
      assert.equal(inside.headers['cache-control'], 'no-store')
      assert.equal((await get(url, path, FROM_OUTSIDE)).status, 403, path)
      assert.equal((await get(url, path, 'via: 1.1 edge\r\n')).status, 403, path)
    }
  })

  test('does not exist if DOCS is off', async ({ assert }) => {
    const { url } = await start({ DOCS: 'off' })
    for (const path of PATHS) {
      for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS']) {
        const { status, headers } = await raw(
          url,
          `${method} ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`
        )
        assert.equal(status, 404, `${method} ${path}`)
        assert.notProperty(headers, 'allow')
      }
    }
  })

  test('is sent in the preferred coding, each with its own ETag', async ({ assert }) => {
    const url = `http://127.0.0.1:${process.env.PORT}`
    for (const path of ['/docs/scalar.js', '/api/openapi.json', '/concierge-inbox.js']) {
      const tags = new Set<string>()
      const bodies = new Set<string>()
      for (const [accepted, coding, decode] of [
        ['gzip, deflate, br', 'br', brotliDecompressSync],
        ['gzip', 'gzip', gunzipSync],
        ['br;q=0.1, gzip;q=0.9', 'gzip', gunzipSync],
        ['identity', undefined, (bytes: Buffer) => bytes],
        ['br;q=0, gzip;q=0', undefined, (bytes: Buffer) => bytes],
      ] as const) {
        const { headers, body } = await get(url, path, `accept-encoding: ${accepted}\r\n`)
        const bytes = Buffer.from(body, 'latin1')
        assert.equal(headers['content-encoding'], coding, accepted)
        assert.equal(Number(headers['content-length']), bytes.length)
        assert.include(headers.vary, 'Accept-Encoding')
        assert.match(headers.etag, /^"[^"]+"$/)
        tags.add(headers.etag)
        bodies.add(decode(bytes).toString())

        const again = await get(
          url,
          path,
          `accept-encoding: ${accepted}\r\nif-none-match: ${headers.etag}\r\n`
        )
        assert.equal(again.status, 304)
        assert.equal(again.body, '')
        assert.equal(again.headers.etag, headers.etag)
      }
      assert.equal(bodies.size, 1, path)
      assert.equal(tags.size, 3, path)
    }
  })

  test('is not compressed for each request', async ({ assert }) => {
    const cpuOf = async (coding: string) => {
      const url = `http://127.0.0.1:${process.env.PORT}/docs/scalar.js`
      const ask = async () => {
        const [response] = (await once(
          request(url, { headers: { 'accept-encoding': coding } }).end(),
          'response'
        )) as [IncomingMessage]
        await once(response.resume(), 'end')
      }
      await ask()
      const before = process.cpuUsage()
      for (let i = 0; i < 20; i++) await ask()
      const { user, system } = process.cpuUsage(before)
      return user + system
    }
    const plain = await cpuOf('identity')
    // Compressing takes a hundred times as long as sending.
    assert.isBelow((await cpuOf('br')) / plain, 5)
  })
})

test.group('The state of the identity provider', (group) => {
  group.teardown(stopAll)

  async function aProvider(status = 200) {
    const provider: TestHttpServer = await new TestHttpServer((_, response) =>
      sendJson(response, { issuer: provider.url, jwks_uri: `${provider.url}/keys` }, status)
    ).start()
    const service = await start({ IDP_ISSUER: provider.url, RATE_LIMIT_PUBLIC: '0' })
    return { provider, service }
  }

  /** The most concurrent requests that one client may have. */
  const askMany = (service: RunningService) =>
    Promise.all(
      Array.from({ length: 40 }, async (_, i) => {
        const response = await fetch(
          `${service.url}/api/idp/${i % 2 === 0 ? 'health' : 'discovery'}`
        )
        await response.arrayBuffer()
        return response.status
      })
    )

  test('is requested once for any number of callers', async ({ assert, cleanup }) => {
    const { provider, service } = await aProvider()
    cleanup(() => provider.stop())
    const statuses = [...(await askMany(service)), ...(await askMany(service))]
    assert.isTrue(statuses.every((status) => status === 200))
    assert.lengthOf(provider.requests, 1)
  })

  test('is requested once even while the provider is down', async ({ assert, cleanup }) => {
    const { provider, service } = await aProvider(500)
    cleanup(() => provider.stop())
    const statuses = [...(await askMany(service)), ...(await askMany(service))]
    assert.isTrue(statuses.every((status) => status === 502))
    assert.lengthOf(provider.requests, 1)
  })
})
