import type { IncomingMessage } from 'node:http'
import { test } from '@japa/runner'
import fc from 'fast-check'
import { createCheckLane } from '#app/checks/check_lane'
import { aShop } from '#tests/functional/checks/shop'
import { serviceUrl } from '#tests/helpers/send'

/** A query leads past the short lane, and changes nothing else. */
const [LANE, ROUTE] = ['/api/check', '/api/check?']
const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g

interface Sent {
  body: string
  headers: Record<string, string>
}

/** What a caller receives, without what differs between any two requests. */
async function receive(path: string, { body, headers }: Sent) {
  const response = await fetch(`${serviceUrl()}${path}`, { method: 'POST', body, headers })
  const { date, ...rest } = Object.fromEntries(response.headers)
  const received = [response.status, await response.text(), rest]
  return JSON.stringify(received, null, 1).replace(UUID, 'a random id')
}

test.group('The short lane of checks', () => {
  test('takes usual requests only', ({ assert }) => {
    const { takes } = createCheckLane(() => {})
    const headers = { 'content-type': 'application/json', 'content-length': '2' }
    const usual = { method: 'POST', url: LANE, headers }
    const isTaken = (request: object) => takes({ ...usual, ...request } as IncomingMessage)
    // Otherwise the tests below compare the route with itself.
    assert.isTrue(isTaken({}))
    assert.isFalse(isTaken({ url: ROUTE }))
    assert.isFalse(isTaken({ method: 'PUT' }))
    for (const header of [
      { 'content-length': '0' },
      { 'content-length': undefined },
      { 'content-type': 'text/plain' },
      { 'concierge-at-least': '1' },
      { 'content-encoding': 'gzip' },
      { 'x-audit-reason': 'because' },
    ]) {
      assert.isFalse(isTaken({ headers: { ...headers, ...header } }), JSON.stringify(header))
    }
  })

  test('responds exactly as the route', async ({ client, assert }) => {
    const { app, email } = await aShop(client)
    const value = fc.constantFrom<unknown>('', 'x'.repeat(300), 5, null, true, [], {}, 'ä\u0000')
    const field = (...usual: unknown[]) =>
      fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: value })
    const question = fc.record(
      {
        email: field(email, email.toUpperCase(), 'nobody@tests.example', 'no address'),
        app: field(app, 'unknown'),
        permission: field('orders', 'export', 'audit', 'settings', '__proto__'),
        level: field('view', 'edit', 'allowed', undefined),
        resourceType: field('order', undefined),
        resourceId: field('1', '2', undefined),
        attributes: field(undefined, { resource: { status: 'open' } }),
        surplus: field(undefined),
      },
      { requiredKeys: ['email', 'app', 'permission'] }
    )
    const malformed = fc.constantFrom('', '{', '[]', '5', '"text"', `${'['.repeat(40)}`, '{"a":1}x')
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
        'x-request-id': fc.constantFrom('my-request', 'not valid', 'cgk_secret', 'x'.repeat(200)),
        'origin': fc.constantFrom('https://elsewhere.example'),
        'content-encoding': fc.constantFrom('gzip', 'identity'),
        'x-audit-reason': fc.constantFrom('because', 'x'.repeat(600)),
        'concierge-at-least': fc.constantFrom('0', '999999999', 'soon'),
        'x-forwarded-for': fc.constantFrom('203.0.113.5'),
      },
      { requiredKeys: ['content-type'] }
    )
    await fc.assert(
      fc.asyncProperty(fc.record({ body, headers }), async (sent) => {
        assert.equal(await receive(LANE, sent), await receive(ROUTE, sent))
      }),
      { numRuns: 300 }
    )
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
    for (const path of [LANE, ROUTE]) {
      await receive(path, { body: JSON.stringify({ app, email, permission: 'orders' }), headers })
      await receive(path, { body: JSON.stringify({ app, email }), headers })
    }
    assert.deepEqual([await count(200), await count(400)], [before[0] + 2, before[1] + 2])
  })
})
