import { test } from '@japa/runner'
import { eventually } from '#tests/helpers/eventually'
import { uniqueEmail } from '#tests/helpers/people'
import { credentials, problemOf } from '#tests/helpers/send'
import { freePort } from '#tests/world/free_port'
import { TestHttpServer } from '#tests/world/http_server'
import { INTERNAL_KEY, NEXT_INTERNAL_KEY, issuer } from '#tests/world/prepare'
import { RawConnection, lastResponse } from '#tests/world/raw_connection'
import { type RunningService, startService } from '#tests/world/service'
import { TestSmtpServer } from '#tests/world/smtp_server'

const SHOP = 'limited-shop'
const CHECK = { email: 'ada@tests.example', app: 'shop', permission: 'read' }

const json = (body: unknown, headers: Record<string, string> = {}) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

test.group('Server limits', (group) => {
  let service: RunningService
  let internalUrl: string
  let smtp: TestSmtpServer
  let authorization: string

  group.setup(async () => {
    smtp = await new TestSmtpServer().start()
    const port = await freePort()
    internalUrl = `http://127.0.0.1:${port}`
    service = await startService({
      HEADERS_TIMEOUT: '1',
      REQUEST_TIMEOUT: '2',
      MAX_IN_FLIGHT_SENDS: '2',
      MAX_IN_FLIGHT_OTHER: '12',
      MAX_CONNECTIONS: '60',
      INTERNAL_PORT: String(port),
      SMTP_PORT: String(smtp.port),
      LOG_LEVEL: 'info',
    })
    authorization = (await credentials('token')).authorization
    const shop = { code: SHOP, name: 'Shop' }
    await fetch(`${service.url}/api/applications`, json(shop, { authorization }))
    return async () => {
      await service.stop()
      await smtp.stop()
    }
  })

  const check = () => fetch(`${internalUrl}/api/check`, json(CHECK))
  const send = (key = INTERNAL_KEY) => {
    const message = { subject: 'Hello', body: 'You' }
    const body = { recipientEmail: uniqueEmail(), appCode: SHOP, type: 'generic', data: message }
    const url = `${internalUrl}/api/internal/notifications`
    return fetch(url, json(body, { 'x-internal-api-key': key }))
  }

  for (const listener of ['public', 'internal']) {
    const url = () => (listener === 'public' ? service.url : internalUrl)

    test(`the ${listener} listener disconnects clients that send headers byte by byte`, async ({
      assert,
    }) => {
      const connection = await RawConnection.to(url())
      connection.write('GET /api/health/live HTTP/1.1\r\nHost: a\r\nX-Slow: ')
      const dripping = setInterval(() => connection.write('x'), 100)
      const started = performance.now()
      const response = lastResponse(
        await connection.closed().finally(() => clearInterval(dripping))
      )
      assert.isBelow(performance.now() - started, 4_000)
      assert.equal(response.status, 408)
      assert.equal(JSON.parse(response.body).code, 'REQUEST_TIMEOUT')
      assert.equal(response.headers.connection, 'close')
    })

    test(`the ${listener} listener disconnects clients that send nothing`, async ({ assert }) => {
      const connection = await RawConnection.to(url())
      const started = performance.now()
      await connection.closed()
      assert.isBelow(performance.now() - started, 4_000)
    })
  }

  test('an incomplete body is 408 and not logged as an error', async ({ assert }) => {
    const connection = await RawConnection.to(service.url)
    const token = await issuer.token(uniqueEmail())
    const head = [
      'POST /api/profile/me/check HTTP/1.1',
      'Host: a',
      `Authorization: Bearer ${token}`,
    ]
    head.push('Content-Type: application/json', 'Content-Length: 1000', '', '{"app"')
    const dripping = setInterval(() => connection.write(' '), 100)
    connection.write(head.join('\r\n'))
    const response = lastResponse(await connection.closed().finally(() => clearInterval(dripping)))
    assert.equal(response.status, 408)
    assert.equal(JSON.parse(response.body).code, 'REQUEST_TIMEOUT')
    assert.notInclude(service.output(), '/api/profile/me/check')
  })

  test('sends beyond their share are 503 immediately while checks continue', async ({ assert }) => {
    smtp.react = (stage) => (stage === 'MAIL' ? 'stall' : undefined)
    const busy = [send(), send(NEXT_INTERNAL_KEY)]
    await eventually('both are with the mail server', () => smtp.open >= 2)

    const started = performance.now()
    const refused = await send()
    assert.isBelow(performance.now() - started, 1_000)
    assert.equal(refused.status, 503)
    assert.equal(refused.headers.get('retry-after'), '1')
    assert.equal((await problemOf(assert, refused)).code, 'OVERLOADED')
    for (let time = 0; time < 20; time++) assert.equal((await check()).status, 200)

    smtp.react = () => undefined
    smtp.cut()
    for (const response of await Promise.all(busy)) assert.equal(response.status, 200)
    assert.equal((await send()).status, 200)
  })

  test('a caller has a quarter of the places, released when the work is done', async ({
    assert,
  }) => {
    const entities = await new TestHttpServer(() => {}).start()
    const entity = { code: 'thing', name: 'Thing', listEndpoint: `${entities.url}/things` }
    const url = `${service.url}/api/applications/${SHOP}/entities`
    assert.equal((await fetch(url, json(entity, { authorization }))).status, 201)

    const leaving = new AbortController()
    const list = (signal?: AbortSignal) =>
      fetch(`${url}/thing/items`, { signal, headers: { authorization } })
    const waiting = [1, 2, 3].map(() => list(leaving.signal).catch(() => 'left'))
    await eventually('all wait for the list', () => entities.requests.length === 3)
    const refused = await fetch(`${service.url}/api/profile/me`, { headers: { authorization } })
    assert.equal((await problemOf(assert, refused)).code, 'RATE_LIMITED')
    const health = await fetch(`${service.url}/api/health/ready`)
    assert.equal(health.status, 200)

    leaving.abort()
    assert.deepEqual(await Promise.all(waiting), ['left', 'left', 'left'])
    await eventually('there is room again', async () => {
      const response = await fetch(`${service.url}/api/profile/me`, { headers: { authorization } })
      return response.ok
    })
    await entities.stop()
  })

  test('connections beyond the limit are closed immediately, until others close', async ({
    assert,
  }) => {
    const crowd = await Promise.all(Array.from({ length: 80 }, () => RawConnection.to(service.url)))
    await eventually('some are closed', () => crowd.filter(({ isOpen }) => !isOpen).length >= 20)
    assert.equal((await check()).status, 200, 'the internal listener has a cap of its own')
    for (const connection of crowd) connection.destroy()
    await eventually('the service takes connections', async () => {
      const response = await fetch(`${service.url}/api/health/live`).catch(() => undefined)
      return response?.ok === true
    })
  })
})
