import { test } from '@japa/runner'
import type { Assert } from '@japa/assert'
import { uniqueEmail } from '#tests/helpers/people'
import { rawRequest, statusesIn } from '#tests/helpers/raw_requests'
import { sameDatabase } from '#tests/helpers/same_database'
import { problemOf } from '#tests/helpers/send'
import { issuer } from '#tests/world/prepare'
import { startProductionService } from '#tests/world/production_service'
import { RawConnection, lastResponse } from '#tests/world/raw_connection'
import type { RunningService } from '#tests/world/service'

/** Together they may hold everything: each address has a quarter. */
const ATTACKERS = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5']
const PLACES = 20
const ARRIVING_PER_ADDRESS = PLACES
const CONNECTIONS = 100

const codeOf = (received: string) => JSON.parse(lastResponse(received).body).code as string

test.group('Places that several addresses hold', (group) => {
  let service: RunningService
  let held: RawConnection[]

  group.setup(async () => {
    service = await startProductionService({
      ...sameDatabase(),
      MAX_IN_FLIGHT_OTHER: String(PLACES),
      MAX_CONNECTIONS: String(CONNECTIONS),
      RATE_LIMIT_FAILED_AUTH: '0',
      LOG_LEVEL: 'error',
    })
    return async () => void (await service.stop())
  })

  group.each.setup(() => {
    held = []
    return () => held.forEach((connection) => connection.destroy())
  })

  async function holdEach(count: number, text: string, addresses = ATTACKERS) {
    for (const address of addresses) {
      for (let index = 0; index < count; index++) {
        const connection = await RawConnection.to(service.url, address)
        held.push(connection.write(text))
      }
    }
    // They are taken on by the time that this gets a response.
    await (await fetch(`${service.url}/api/health/live`)).text()
  }

  async function assertPeopleAreServed(assert: Assert) {
    const authorization = `Bearer ${await issuer.token(uniqueEmail())}`
    const headers = { authorization, 'content-type': 'application/json' }
    const body = JSON.stringify({ locale: 'en' })
    for (const init of [{}, { method: 'PUT', body }]) {
      const response = await fetch(`${service.url}/api/profile/me`, { ...init, headers })
      assert.equal(response.status, 200, JSON.stringify(await response.json()))
    }
  }

  /** The signature can only be judged when the body is complete. */
  const halfABody = () =>
    rawRequest('POST', '/api/idp/webhook', {
      'content-length': '100',
      'zitadel-signature': `t=${Math.floor(Date.now() / 1000)},v1=${'a'.repeat(64)}`,
    }) + '{'

  test('are given up one by one to bodies that arrive at once', async ({ assert }) => {
    await holdEach(ARRIVING_PER_ADDRESS, halfABody())
    for (let time = 0; time < 5; time++) await assertPeopleAreServed(assert)
    const refused = held.filter(({ received }) => received !== '')
    assert.isNotEmpty(refused)
    for (const { received } of refused) assert.deepEqual(statusesIn(received), [503])
    assert.equal(codeOf(refused[0].received), 'OVERLOADED')
  })

  test('are free again if clients disconnect while a guard is at work', async ({ assert }) => {
    const token = await issuer.token(uniqueEmail())
    const headers = { 'authorization': `Bearer ${token}`, 'content-type': 'application/json' }
    for (let time = 0; time < 5 * PLACES; time++) {
      const connection = await RawConnection.to(service.url)
      const halfABodyOfTheirs = rawRequest('PUT', '/api/profile/me', {
        ...headers,
        'content-length': '100',
      })
      connection.write(`${halfABodyOfTheirs}{`)
      // The guard has begun by the time that this gets a response.
      await (await fetch(`${service.url}/api/health/live`)).text()
      connection.destroy()
    }
    const body = JSON.stringify({ locale: 'en' })
    const response = await fetch(`${service.url}/api/profile/me`, { method: 'PUT', headers, body })
    assert.equal(response.status, 200, await response.text())
  })

  test('on idle connections are given up to new connections', async ({ assert }) => {
    const text = rawRequest('GET', '/api/health/live')
    await holdEach(CONNECTIONS / ATTACKERS.length, text)
    const responses = await Promise.all(
      Array.from({ length: 3 }, () => RawConnection.to(service.url))
    )
    for (const connection of responses) {
      held.push(connection.write(rawRequest('GET', '/api/health/live', { connection: 'close' })))
      assert.deepEqual(statusesIn(await connection.closed()), [200])
    }
  })
})

test.group('A URL of many parts', (group) => {
  let service: RunningService

  group.setup(async () => {
    service = await startProductionService({ ...sameDatabase(), LOG_LEVEL: 'error' })
    return async () => void (await service.stop())
  })

  const pairs = (count: number) => Array.from({ length: count }, (_, at) => `a[${at}]=1`).join('&')

  for (const [what, path] of [
    ['1,000 parameters', `/zz?${pairs(1_000)}`],
    ['1,000 parameters of health', `/api/health/live?${pairs(1_000)}`],
    ['empty parameters', `/zz?${'&'.repeat(5_000)}`],
    ['3,000 segments', `/${'a/'.repeat(3_000)}`],
  ]) {
    test(`is refused before it is parsed: ${what}`, async ({ assert }) => {
      const connection = await RawConnection.to(service.url)
      connection.write(rawRequest('GET', path).repeat(3))
      const received = await connection.closed()
      assert.deepEqual(statusesIn(received), [400])
      assert.equal(codeOf(received), 'MALFORMED_REQUEST')
    })
  }

  test('is refused before it is parsed: names with brackets', async ({ assert }) => {
    for (const name of ['search[1023][1023]', 'search%5B1023%5d']) {
      const response = await fetch(`${service.url}/zz?a=[1]&${name}=1`)
      const { errors } = (await problemOf(assert, response)).details
      assert.containSubset(errors, [{ field: 'search', rule: 'string' }])
    }
  })

  test('is accepted with 100 parameters and 32 segments', async ({ assert }) => {
    const names = Array.from({ length: 100 }, (_, at) => `a${at}=[1]`).join('&')
    const health = await fetch(`${service.url}/api/health/live?${names}`)
    assert.equal(health.status, 200)
    const unknown = await fetch(`${service.url}${'/a'.repeat(32)}`)
    assert.equal(unknown.status, 404)
  })
})
