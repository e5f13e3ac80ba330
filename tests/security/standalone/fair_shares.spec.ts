import { test } from '@japa/runner'
import type { Assert } from '@japa/assert'
import { transaction } from '#core/database/transaction'
import Entity from '#app/applications/models/entity'
import { storeSigningKey } from '#app/identity_provider/signatures/store_signing_key'
import { eventually } from '#tests/helpers/eventually'
import { inFlight, metricOf } from '#tests/helpers/metrics'
import { anAdministratorOf, anApplication, uniqueEmail } from '#tests/helpers/people'
import { postToHook } from '#tests/helpers/provider_hook'
import { rawRequest, statusesIn } from '#tests/helpers/raw_requests'
import { sameDatabase } from '#tests/helpers/same_database'
import { problemOf } from '#tests/helpers/send'
import { HOOK_KEY } from '#tests/helpers/signature'
import { freePort } from '#tests/world/free_port'
import { TestHttpServer } from '#tests/world/http_server'
import { INTERNAL_KEY, issuer } from '#tests/world/prepare'
import { startProductionService } from '#tests/world/production_service'
import { RawConnection } from '#tests/world/raw_connection'
import type { RunningService } from '#tests/world/service'
import { TestSmtpServer } from '#tests/world/smtp_server'

/** The default of `MAX_IN_FLIGHT_SENDS`, and the share of one caller. */
const SENDS = 250
const PART_OF_SENDS = 62
/** The same for `MAX_IN_FLIGHT_OTHER`. */
const OTHER = 80
const PART_OF_OTHER = 20

/** Other tests connect from another address. */
const PROXY = '127.0.0.9'

test.group('Fair shares', (group) => {
  let service: RunningService
  let internalUrl: string
  let smtp: TestSmtpServer
  let slow: TestHttpServer
  let release = () => {}

  group.setup(async () => {
    await transaction((trx) => storeSigningKey(HOOK_KEY, trx))
    smtp = await new TestSmtpServer().start()
    slow = await new TestHttpServer(() => {}).start()
    const port = await freePort()
    internalUrl = `http://127.0.0.1:${port}`
    service = await startProductionService({
      ...sameDatabase(),
      INTERNAL_PORT: String(port),
      SMTP_PORT: String(smtp.port),
      SMTP_TLS: 'none',
      MAX_IN_FLIGHT_OTHER: String(OTHER),
      TRUSTED_PROXIES: PROXY,
      ENTITY_ALLOWED_ORIGINS: slow.url,
      LOG_LEVEL: 'error',
    })
    return async () => {
      await service.stop()
      await slow.stop()
      await smtp.stop()
    }
  })

  group.each.setup(() => {
    // Requests for the list wait until the test releases them.
    const waiting: (() => void)[] = []
    slow.handler = (_, response) => void waiting.push(() => response.end('[]'))
    release = () => {
      slow.handler = (_, response) => response.end('[]')
      waiting.splice(0).forEach((respond) => respond())
    }
    return () => {
      release()
      smtp.react = () => undefined
      smtp.cut()
    }
  })

  const bearer = async (email: string) => ({ authorization: `Bearer ${await issuer.token(email)}` })

  /** Health, metrics, checks, profiles and sends of others. */
  async function assertOthersAreServed(assert: Assert) {
    const headers = { ...(await bearer(uniqueEmail())), 'content-type': 'application/json' }
    const check = JSON.stringify({ email: uniqueEmail(), app: 'shop', permission: 'read' })
    const own = JSON.stringify({ app: 'shop', permission: 'read' })
    const post = (body: string) => ({ method: 'POST', headers, body })
    const asked: [string, RequestInit?][] = [
      [`${service.url}/api/health/live`],
      [`${service.url}/api/health/ready`],
      [`${internalUrl}/metrics`],
      [`${internalUrl}/api/check`, post(check)],
      [`${service.url}/api/profile/me/check`, post(own)],
      [`${service.url}/api/profile/me`, { headers }],
    ]
    for (const [url, init] of asked) {
      const response = await fetch(url, init)
      await response.arrayBuffer()
      assert.equal(response.status, 200, url)
    }
  }

  /** An application with an entity whose list takes as long as the test wants. */
  async function aSlowList() {
    const application = await anApplication()
    const listEndpoint = `${slow.url}/things`
    const fields = { applicationId: application.id, code: 'thing', name: 'Thing', listEndpoint }
    await Entity.create(fields as Partial<Entity>)
    const path = `/api/applications/${application.code}/entities/thing/items`
    return { application, path, headers: await bearer(await anAdministratorOf(application)) }
  }

  test('others are served while one connection sends 1,300 requests', async ({ assert }) => {
    const attacker = await RawConnection.unreadTo(service.url)
    attacker.write(rawRequest('GET', '/docs/scalar.js'))
    attacker.write('GET /docs/scalar.js HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1_300))
    for (let time = 0; time < 5; time++) await assertOthersAreServed(assert)
    await eventually('it is cut off', () => {
      attacker.read()
      return !attacker.isOpen
    })
  })

  const unreadClosed = (reason: string) =>
    metricOf(internalUrl, `concierge_http_unread_closed_total{reason="${reason}"}`)
  /** The response has about 17 MB. */
  const attackUnread = async () => {
    const attacker = await RawConnection.unreadTo(service.url)
    return attacker.write(rawRequest('GET', '/docs/scalar.js').repeat(4))
  }

  test('others are served while connections read nothing or very slowly, and those are closed after 15 seconds', async ({
    assert,
  }) => {
    const before = await unreadClosed('stalled')
    const attackers = await Promise.all(Array.from({ length: 3 }, attackUnread))
    const trickling = setInterval(() => attackers.slice(2).forEach((one) => one.read()), 8_000)
    await assertOthersAreServed(assert)
    await eventually(
      'all are closed',
      async () => (await unreadClosed('stalled')) === before + 3,
      30_000
    )
    clearInterval(trickling)
    attackers.forEach((attacker) => attacker.destroy())
  })

  test('memory is not freed at the expense of other clients of a proxy', async ({ assert }) => {
    const unreadVia = async (client: string, times: number) => {
      const connection = await RawConnection.unreadTo(service.url, PROXY)
      const request = rawRequest('GET', '/docs/scalar.js', { 'x-forwarded-for': client })
      return connection.write(request.repeat(times))
    }
    const before = await unreadClosed('memory')
    const other = await unreadVia('198.51.100.1', 1)
    const attackers = await Promise.all(
      Array.from({ length: 10 }, () => unreadVia('198.51.100.2', 4))
    )
    const some = async () => (await unreadClosed('memory')) >= before + 4
    await eventually('some are closed', some, 30_000)
    attackers.forEach((attacker) => attacker.destroy())
    other.readOn()
    await eventually('the other has read everything', () => other.received.length > 4_000_000)
    assert.isTrue(other.isOpen)
    other.destroy()
  })

  test('others are served while many connections read nothing, and memory is bounded', async ({
    assert,
  }) => {
    const before = await unreadClosed('memory')
    const attackers = await Promise.all(Array.from({ length: 10 }, attackUnread))
    const some = async () => (await unreadClosed('memory')) >= before + 4
    await eventually('some are closed', some, 30_000)
    await assertOthersAreServed(assert)
    attackers.forEach((attacker) => attacker.destroy())
  })

  test('others are served while one user sends 255 incomplete bodies', async ({ assert }) => {
    const memory = () => metricOf(internalUrl, 'nodejs_external_memory_bytes')
    const before = await memory()
    const headers = { ...(await bearer(uniqueEmail())), 'content-length': '60000' }
    const attackers = await Promise.all(
      Array.from({ length: 255 }, () => RawConnection.to(service.url))
    )
    const half = rawRequest('PUT', '/api/profile/me', headers) + `{"a":"${'x'.repeat(50_000)}`
    attackers.forEach((attacker) => attacker.write(half))
    const isRefused = () => attackers.some(({ received }) => statusesIn(received).includes(429))
    await eventually('those beyond their part are refused', isRefused, 30_000)
    for (let time = 0; time < 5; time++) await assertOthersAreServed(assert)
    assert.equal(await inFlight(internalUrl, 'other'), 0)
    assert.isBelow((await memory()) - before, 128 * 1_048_576)
    await eventually('the others are over', () => attackers.every(({ isOpen }) => !isOpen), 25_000)
  })

  test('others are served while 250 sends hang at a mail server', async ({ assert }) => {
    const { code } = await anApplication()
    smtp.react = () => 'stall'
    const statuses: number[] = []
    const send = async () => {
      const message = { recipientEmail: uniqueEmail(), appCode: code, type: 'generic' }
      const response = await fetch(`${internalUrl}/api/internal/notifications`, {
        method: 'POST',
        headers: { 'x-internal-api-key': INTERNAL_KEY, 'content-type': 'application/json' },
        body: JSON.stringify({ ...message, data: { subject: 'Hello', body: 'You' } }),
      })
      await response.arrayBuffer()
      statuses.push(response.status)
    }
    const sending = Array.from({ length: SENDS }, send)
    const refused = SENDS - PART_OF_SENDS
    await eventually('the key has its part', () => statuses.length === refused)
    assert.deepEqual(new Set(statuses), new Set([429]))
    assert.equal(await inFlight(internalUrl, 'sends'), PART_OF_SENDS)

    const hook = await postToHook('{}', undefined, service.url)
    assert.notInclude([429, 503], hook.status)
    await assertOthersAreServed(assert)
    smtp.react = () => undefined
    smtp.cut()
    await Promise.all(sending)
  })

  test('others are served while one user holds a quarter of the places', async ({ assert }) => {
    const { path, headers } = await aSlowList()
    const url = service.url + path
    const held = Array.from({ length: PART_OF_OTHER }, () => fetch(url, { headers }))
    await eventually(
      'all wait',
      async () => (await inFlight(internalUrl, 'other')) === PART_OF_OTHER
    )
    const next = await fetch(url, { headers })
    assert.equal(next.status, 429)
    assert.equal(next.headers.get('retry-after'), '1')
    assert.equal((await problemOf(assert, next)).code, 'RATE_LIMITED')
    await assertOthersAreServed(assert)
    release()
    for (const response of await Promise.all(held)) assert.equal(response.status, 200)
  })

  test('a connection has four requests in progress, and the others wait', async ({ assert }) => {
    const { path, headers } = await aSlowList()
    const connection = await RawConnection.to(service.url)
    connection.write(rawRequest('GET', path, headers).repeat(12))
    await eventually('some are worked on', async () => (await inFlight(internalUrl, 'other')) > 0)
    await assertOthersAreServed(assert)
    assert.equal(await inFlight(internalUrl, 'other'), 4)
    release()
    await eventually('all get responses', () => statusesIn(connection.received).length === 12)
    assert.deepEqual(new Set(statusesIn(connection.received)), new Set([200]))
    connection.destroy()
  })

  test('a connection that sends too many requests gets 429 after the pending responses', async ({
    assert,
  }) => {
    const { path, headers } = await aSlowList()
    const connection = await RawConnection.to(service.url)
    connection.write(rawRequest('GET', path, headers).repeat(4))
    connection.write(rawRequest('GET', '/api/health/live').repeat(30))
    await eventually('they are there', async () => (await inFlight(internalUrl, 'other')) === 4)
    release()
    const statuses = statusesIn(await connection.closed())
    assert.deepEqual(statuses, [...Array(20).fill(200), 429])
    assert.match(connection.received, /retry-after: 1\r\n/i)
    assert.include(connection.received, '"code":"RATE_LIMITED"')
  })

  test('places are released when a client disconnects', async ({ assert }) => {
    const { path, headers } = await aSlowList()
    const leaving = await RawConnection.to(service.url)
    leaving.write(rawRequest('GET', path, headers).repeat(6))
    await eventually('they are there', async () => (await inFlight(internalUrl, 'other')) === 4)
    leaving.destroy()
    release()
    await eventually('none is left', async () => (await inFlight(internalUrl, 'other')) === 0)
    const response = await fetch(service.url + path, { headers })
    assert.equal(response.status, 200)
  })

  test('the work for a disconnected client keeps its place until it is done', async ({
    assert,
  }) => {
    const { path, headers } = await aSlowList()
    const leaving = await RawConnection.to(service.url)
    leaving.write(rawRequest('GET', path, headers))
    await eventually('it is there', async () => (await inFlight(internalUrl, 'other')) === 1)
    leaving.destroy()
    const route = '/api/applications/:appCode/entities/:entityCode/items'
    const gone = `concierge_http_request_duration_seconds_count{method="GET",route="${route}",status="499"}`
    await eventually('the service knows', async () => (await metricOf(internalUrl, gone)) > 0)
    assert.equal(await inFlight(internalUrl, 'other'), 1)
    release()
    await eventually('it is over', async () => (await inFlight(internalUrl, 'other')) === 0)
  })

  test('all spellings of a path count towards its route', async ({ assert }) => {
    const { application, headers } = await aSlowList()
    const path = `/%61pi/applications/${application.code}/entities/thing/%69tems?q=/stream`
    const asking = fetch(`${service.url}${path}`, { headers })
    await eventually('it is there', async () => (await inFlight(internalUrl, 'other')) === 1)
    assert.equal(await inFlight(internalUrl, 'streams'), 0)
    release()
    assert.equal((await asking).status, 200)
  })
})
