import type { IncomingMessage } from 'node:http'
import { test } from '@japa/runner'
import server from '@adonisjs/core/services/server'
import fc from 'fast-check'
import { createCheckLane, createOwnCheckLane } from '#app/checks/check_lane'
import { aShop } from '#tests/functional/checks/shop'
import { serviceUrl } from '#tests/helpers/send'
import { issuer } from '#tests/world/prepare'

const CHECK = '/api/check'
const OWN_CHECK = '/api/profile/me/check'
/** A query leads past the short lane, and changes nothing else. */
const routeOf = (lane: string) => `${lane}?`
const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g

interface Sent {
  body: string
  headers: Record<string, string>
}

/** What a caller receives, without what differs between any two requests. */
async function receive(path: string, { body, headers }: Sent) {
  const response = await fetch(`${serviceUrl()}${path}`, { method: 'POST', body, headers })
  const { date, 'x-ratelimit-remaining': remaining, ...rest } = Object.fromEntries(response.headers)
  const isCounted = remaining !== undefined
  const received = [response.status, await response.text(), rest, isCounted]
  return JSON.stringify(received, null, 1).replace(UUID, 'a random id')
}

/** Sends an own check that the route refuses after it has looked up the account. */
const asAccount = (token: string) =>
  receive(routeOf(OWN_CHECK), {
    body: '{}',
    headers: { 'authorization': `Bearer ${token}`, 'content-type': 'application/json' },
  })

test.group('The short lanes of checks', () => {
  test('takes usual requests only', ({ assert }) => {
    const lanes = [
      createCheckLane(() => {}),
      createOwnCheckLane(
        () => undefined,
        async () => []
      ),
    ]
    for (const { takes, path } of lanes) {
      const headers = { 'content-type': 'application/json', 'content-length': '2' }
      const usual = { method: 'POST', url: path, headers }
      const isTaken = (request: object) => takes({ ...usual, ...request } as IncomingMessage)
      // Otherwise the tests below compare the route with itself.
      assert.isTrue(isTaken({}), path)
      assert.isFalse(isTaken({ method: 'PUT' }), path)
      for (const header of [
        { 'content-length': '0' },
        { 'content-length': undefined },
        { 'content-type': 'text/plain' },
        { 'concierge-at-least': '1' },
        { 'content-encoding': 'gzip' },
        { 'x-audit-reason': 'because' },
      ]) {
        const taken = isTaken({ headers: { ...headers, ...header } })
        assert.isFalse(taken, `${path} ${JSON.stringify(header)}`)
      }
    }
  })

  test('serves own checks once the token is known', async ({ client, assert, cleanup }) => {
    const { createHttpContext } = server
    cleanup(() => void (server.createHttpContext = createHttpContext))
    let contexts = 0
    server.createHttpContext = (...given) => {
      contexts++
      return createHttpContext.apply(server, given)
    }
    const { app, email } = await aShop(client)
    const authorization = `Bearer ${await issuer.token(email)}`
    const headers = { authorization, 'content-type': 'application/json' }
    const sent = { body: JSON.stringify({ app, permission: 'orders' }), headers }
    const contextsOf = async (path: string) => {
      const before = contexts
      await receive(path, sent)
      return contexts - before
    }
    const seen = []
    // The first binds the account to the record, and the second reads that.
    for (const path of [OWN_CHECK, OWN_CHECK, OWN_CHECK, routeOf(OWN_CHECK)]) {
      seen.push(await contextsOf(path))
    }
    assert.deepEqual(seen, [1, 1, 0, 1])
  })

  test('responds to {$self} exactly as the route')
    .with([CHECK, OWN_CHECK])
    .run(async ({ client, assert }, lane) => {
      const { app, email } = await aShop(client)
      const token = await issuer.token(email)
      // The first request of an account makes a change, which has a revision.
      await asAccount(token)
      await asAccount(token)
      const value = fc.constantFrom<unknown>('', 'x'.repeat(300), 5, null, true, [], {}, 'ä\u0000')
      const field = (...usual: unknown[]) =>
        fc.oneof(
          { weight: 6, arbitrary: fc.constantFrom(...usual) },
          { weight: 1, arbitrary: value }
        )
      const question = fc.record(
        {
          email: field(email, email.toUpperCase(), 'nobody@tests.example', 'no address'),
          app: field(app, 'unknown'),
          permission: field('orders', 'export', 'audit', 'settings', '__proto__'),
          level: field('view', 'edit', 'allowed', undefined),
          resourceType: field('order', undefined),
          resourceId: field('1', '2', undefined),
          attributes: field(undefined, { resource: { status: 'open' } }, { subject: { id: 1 } }),
          surplus: field(undefined),
        },
        { requiredKeys: ['email', 'app', 'permission'] }
      )
      const malformed = fc.constantFrom(
        '',
        '{',
        '[]',
        '5',
        '"text"',
        `${'['.repeat(40)}`,
        '{"a":1}x'
      )
      const body = fc.oneof(
        { weight: 5, arbitrary: question.map((given) => JSON.stringify(given)) },
        { weight: 1, arbitrary: malformed }
      )
      const headers = fc.record(
        {
          'content-type': fc.oneof(
            { weight: 5, arbitrary: fc.constant('application/json') },
            {
              weight: 1,
              arbitrary: fc.constantFrom(
                ...['application/json; charset=utf-8', 'application/ld+json', 'text/plain'],
                ...['application/json; charset=latin1', 'application/xml']
              ),
            }
          ),
          'authorization': fc.constant(`Bearer ${token}`),
          'x-request-id': fc.constantFrom('my-request', 'not valid', 'cgk_secret', 'x'.repeat(200)),
          'origin': fc.constantFrom('https://elsewhere.example'),
          'content-encoding': fc.constantFrom('gzip', 'identity'),
          'x-audit-reason': fc.constantFrom('because', 'x'.repeat(600)),
          'concierge-at-least': fc.constantFrom('0', '999999999', 'soon'),
          'x-forwarded-for': fc.constantFrom('203.0.113.5'),
        },
        { requiredKeys: ['content-type', 'authorization'] }
      )
      await fc.assert(
        fc.asyncProperty(fc.record({ body, headers }), async (sent) => {
          assert.equal(await receive(lane, sent), await receive(routeOf(lane), sent))
        }),
        { numRuns: 300 }
      )
    })

  test('leaves callers without a token to the route', async ({ client, assert }) => {
    const { app } = await aShop(client)
    const body = JSON.stringify({ app, permission: 'orders' })
    const sent = { body, headers: { 'content-type': 'application/json' } }
    const received = await receive(OWN_CHECK, sent)
    assert.include(received, 'UNAUTHENTICATED')
    assert.equal(received, await receive(routeOf(OWN_CHECK), sent))
  })

  test('counts towards the same rate limit as the route', async ({ client, assert }) => {
    const { app, email } = await aShop(client)
    const authorization = `Bearer ${await issuer.token(email)}`
    const headers = { authorization, 'content-type': 'application/json' }
    const body = JSON.stringify({ app, permission: 'orders' })
    const remaining = []
    for (const path of [OWN_CHECK, OWN_CHECK, routeOf(OWN_CHECK), OWN_CHECK]) {
      const response = await fetch(`${serviceUrl()}${path}`, { method: 'POST', body, headers })
      remaining.push(Number(response.headers.get('x-ratelimit-remaining')))
    }
    const [first] = remaining
    assert.deepEqual(remaining, [first, first - 1, first - 2, first - 3])
  })

  test('appears in the metrics like the route', async ({ client, assert }) => {
    const { app, email } = await aShop(client)
    const count = async (status: number) => {
      const text = await (await fetch(`${serviceUrl()}/metrics`)).text()
      const labels = `method="POST",route="/api/check",status="${status}"`
      const line = text.split('\n').find((each) => each.includes(`_count{${labels}`))
      return Number(line?.split(' ').at(-1) ?? 0)
    }
    const before = [await count(200), await count(400)]
    const headers = { 'content-type': 'application/json' }
    for (const path of [CHECK, routeOf(CHECK)]) {
      await receive(path, { body: JSON.stringify({ app, email, permission: 'orders' }), headers })
      await receive(path, { body: JSON.stringify({ app, email }), headers })
    }
    assert.deepEqual([await count(200), await count(400)], [before[0] + 2, before[1] + 2])
  })
})
