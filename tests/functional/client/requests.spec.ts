import {
  ConciergeProblem,
  ConciergeUnreachable,
  type NotificationRequest,
  createConcierge,
  ifMatch,
  unwrap,
  unwrapTagged,
} from '@concierge/client'
import { test } from '@japa/runner'
import Notification from '#app/notifications/models/notification'
import { aClient } from '#tests/helpers/clients'
import { eventually } from '#tests/helpers/eventually'
import { manageApplication } from '#tests/helpers/management'
import { anApplication, uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { TestHttpServer, sendJson } from '#tests/world/http_server'
import { SUPER_ADMIN, issuer } from '#tests/world/prepare'

const OVERLOADED = { code: 'OVERLOADED', detail: 'Try again', details: {}, requestId: 'r' }

/** A service that gives these responses in turn, and then succeeds. */
async function respondingWith(...responses: [status: number, headers?: Record<string, string>][]) {
  return new TestHttpServer((_, response) => {
    const [status, headers] = responses.shift() ?? [200]
    for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value)
    sendJson(response, status === 200 ? { success: true, data: { id: 1 } } : OVERLOADED, status)
  }).start()
}

test.group('The client', () => {
  test('types and sends every kind of request', async ({ assert }) => {
    const { concierge } = aClient({ token: () => issuer.token(SUPER_ADMIN) })
    const code = uniqueCode()
    const created = await unwrap(
      concierge.api.POST('/api/applications', { body: { code, name: 'Shop' } })
    )
    assert.equal(created.data.code, code)
    const params = { path: { appCode: code } }
    const renamed = await unwrap(
      concierge.api.PUT('/api/applications/{appCode}', { params, body: { name: 'Store' } })
    )
    assert.equal(renamed.data.name, 'Store')
    await unwrap(concierge.api.DELETE('/api/applications/{appCode}', { params }))
    const gone = await concierge.api.GET('/api/applications/{appCode}', { params })
    assert.equal(gone.error?.code, 'APPLICATION_NOT_FOUND')
  })

  test('catalogs any number of resources, and deletes them', async ({ client, assert }) => {
    const { concierge, sent } = aClient()
    const { code: app } = await anApplication()
    await manageApplication(client, app).entity({ code: 'order' })
    const catalog = { app, type: 'order' }
    const many = Array.from({ length: 1_100 }, (_, index) => ({ resourceId: `o-${index}` }))
    const properties = { text: 'ý'.repeat(8_000) }
    const large = many.slice(0, 70).map((resource) => ({ ...resource, properties }))
    const none = { created: 0, updated: 0, unchanged: 0 }
    assert.deepEqual(await concierge.saveResources(catalog, []), none)
    assert.deepEqual(await concierge.saveResources(catalog, many), { ...none, created: 1_100 })
    assert.lengthOf(sent, 2)
    assert.deepEqual(await concierge.saveResources(catalog, large), { ...none, updated: 70 })
    assert.lengthOf(sent, 5)
    assert.deepEqual(await concierge.saveResources(catalog, many), { ...none, unchanged: 1_100 })
    const ids = many.map(({ resourceId }) => resourceId)
    assert.equal(await concierge.deleteResources(catalog, [...ids, ...ids]), 1_100)
    const unknown = concierge.saveResources({ app, type: 'letter' }, many).catch((error) => error)
    assert.include(await unknown, { status: 404, code: 'ENTITY_NOT_FOUND' })
  })

  test('writes only what nobody else has changed since it was read', async ({ assert }) => {
    const { concierge } = aClient({ token: await issuer.token(SUPER_ADMIN) })
    const { code: appCode } = await anApplication()
    const path = '/api/applications/{appCode}'
    const params = { path: { appCode } }
    const { data, etag } = await unwrapTagged(concierge.api.GET(path, { params }))
    assert.equal(data.code, appCode)
    const rename = (name: string) =>
      concierge.api.PUT(path, { params: { ...params, ...ifMatch(etag) }, body: { name } })
    await unwrap(rename('Store'))
    const error = await unwrap(rename('Shop')).catch((problem) => problem)
    assert.include(error, { status: 412, code: 'STALE' })
    assert.include(error.details.current, { name: 'Store' })
  })

  test('does not retry a conditional write, which would find its own change', async ({
    assert,
    cleanup,
  }) => {
    const world = await respondingWith([502])
    cleanup(() => world.stop())
    const { api } = createConcierge({ url: world.url })
    const params = { path: { appCode: 'shop' }, ...ifMatch('"tag"') }
    const { response } = await api.PUT('/api/applications/{appCode}', {
      params,
      body: { name: 'Shop' },
    })
    assert.equal(response.status, 502)
    assert.lengthOf(world.requests, 1)
    assert.equal(world.requests[0]!.headers['if-match'], '"tag"')
  })

  test('reports errors with code, details and request id', async ({ assert }) => {
    const { concierge } = aClient({ token: await issuer.token(SUPER_ADMIN) })
    const body = { code: 'Not A Slug', name: 'Shop' }
    const error = await unwrap(concierge.api.POST('/api/applications', { body })).catch(
      (problem) => problem
    )
    assert.instanceOf(error, ConciergeProblem)
    assert.equal(error.code, 'VALIDATION_ERROR')
    assert.equal(error.details.errors[0].field, 'code')
    assert.isString(error.requestId)
  })

  test('sends each key only to its own endpoints, and the token only elsewhere', async ({
    assert,
  }) => {
    const world = await respondingWith()
    const concierge = createConcierge({
      url: `${world.url}/`,
      token: 'secret',
      internalKey: 'key',
      checkKey: 'check-key',
    })
    try {
      await concierge.api.GET('/api/profile/me')
      await concierge.api.POST('/api/check', {
        body: { email: 'a@b.io', app: 'a', permission: 'p' },
      })
      await concierge.notify({ recipientEmail: 'a@b.io', appCode: 'a', type: 'generic' })
    } finally {
      await world.stop()
    }
    const sent = world.requests.map(({ headers }) => [
      headers.authorization,
      headers['x-internal-api-key'],
      headers['x-check-key'],
    ])
    assert.deepEqual(sent, [
      ['Bearer secret', undefined, undefined],
      [undefined, undefined, 'check-key'],
      [undefined, 'key', undefined],
    ])
  })

  test('follows no redirects', async ({ assert, cleanup }) => {
    const thief = await respondingWith()
    const gateway = await new TestHttpServer((_, response) => {
      response.writeHead(307, { location: `${thief.url}/take` }).end()
    }).start()
    cleanup(async () => void (await Promise.all([thief.stop(), gateway.stop()])))
    const settings = { internalKey: 'key', retries: 0, timeoutMs: 30_000 }
    const concierge = createConcierge({ url: gateway.url, ...settings })
    const message = { recipientEmail: 'a@b.io', appCode: 'a', type: 'generic' }
    const failure = await concierge.notify(message).catch((error) => error)
    assert.equal(failure.cause?.message, 'unexpected redirect', String(failure))
    assert.lengthOf(gateway.requests, 1)
    assert.isEmpty(thief.requests)
  })

  test('retries repeatable requests after transient failures', async ({ assert }) => {
    const world = await respondingWith([503, { 'retry-after': '0' }], [502])
    const concierge = createConcierge({ url: world.url })
    try {
      await unwrap(concierge.api.GET('/api/profile/me'))
      assert.lengthOf(world.requests, 3)
    } finally {
      await world.stop()
    }
  })

  test('gives up after its retries and reports the reason', async ({ assert }) => {
    const world = await respondingWith([503], [503], [503], [503])
    const concierge = createConcierge({ url: world.url, retries: 1 })
    try {
      const error = await concierge
        .may({ email: 'a@b.io', app: 'a', permission: 'p' })
        .catch((problem) => problem)
      assert.equal(error.code, 'OVERLOADED')
      assert.lengthOf(world.requests, 2)
    } finally {
      await world.stop()
    }
  })

  test('does not retry other requests', async ({ assert }) => {
    const world = await respondingWith([503])
    const concierge = createConcierge({ url: world.url })
    try {
      const body = { code: 'shop', name: 'Shop' }
      const { response } = await concierge.api.POST('/api/applications', { body })
      assert.equal(response.status, 503)
      assert.lengthOf(world.requests, 1)
    } finally {
      await world.stop()
    }
  })

  test('reports a service that cannot be reached as an error of its own', async ({ assert }) => {
    const nowhere = createConcierge({ url: 'http://127.0.0.1:9', retries: 0, internalKey: 'key' })
    const cut = await new TestHttpServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
      response.write('{"success"', () => response.destroy())
    }).start()
    const calls: Promise<unknown>[] = [
      nowhere.may({ email: 'a@b.io', app: 'a', permission: 'p' }),
      nowhere.notify({ recipientEmail: 'a@b.io', appCode: 'a', type: 'generic' }),
      unwrap(nowhere.api.GET('/api/health/live')),
      unwrap(createConcierge({ url: cut.url }).api.GET('/api/health/live')),
    ]
    try {
      for (const call of calls) {
        const error = await call.catch((failure: unknown) => failure)
        assert.instanceOf(error, ConciergeUnreachable)
        const { reason, message, cause } = error as ConciergeUnreachable
        assert.equal(reason, 'connection')
        assert.match(message, /^Concierge could not be reached: ./)
        assert.instanceOf(cause, Error)
      }
    } finally {
      await cut.stop()
    }
  })

  test("keeps the reason of a caller's own signal", async ({ assert }) => {
    const world = await new TestHttpServer(() => {}).start()
    const { api } = createConcierge({ url: world.url })
    const given = new AbortController()
    try {
      const call = api.GET('/api/health/live', { signal: given.signal }).catch((error) => error)
      given.abort(new Error('The page was closed'))
      assert.equal((await call).message, 'The page was closed')
    } finally {
      await world.stop()
    }
  })

  test('observes its time limit even if the body never ends', async ({ assert, cleanup }) => {
    let isClosed = false
    const world = await new TestHttpServer((request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const timer = setInterval(() => response.write(' '), 20)
      request.socket.once('close', () => {
        clearInterval(timer)
        isClosed = true
      })
    }).start()
    cleanup(() => world.stop())
    const { api } = createConcierge({ url: world.url, timeoutMs: 300 })
    const error = await api.GET('/api/health/live').catch((failure) => failure)
    assert.instanceOf(error, ConciergeUnreachable)
    assert.equal(error.reason, 'timeout')
    await eventually('the connection is closed', () => isClosed)
  })

  test('observes its time limit', async ({ assert }) => {
    const world = await new TestHttpServer(() => {}).start()
    const concierge = createConcierge({ url: world.url, timeoutMs: 500, retries: 1 })
    try {
      const error = await concierge
        .may({ email: 'a@b.io', app: 'a', permission: 'p' })
        .catch((failure) => failure)
      assert.instanceOf(error, ConciergeUnreachable)
      assert.include(error, {
        reason: 'timeout',
        message: 'Concierge did not respond in time',
      })
      assert.lengthOf(world.requests, 2)
    } finally {
      await world.stop()
    }
  })

  test('sends a message once even if responses are lost', async ({ assert }) => {
    const { code: appCode } = await anApplication()
    const recipientEmail = uniqueEmail()
    let losses = 2
    const { concierge, sent } = aClient({ retries: 2 })
    const lossy = createConcierge({
      url: 'http://unused',
      internalKey: 'unused',
      fetch: async (input, init) => {
        const request = new Request(input, init)
        const body = (await request.json()) as NotificationRequest
        const idempotencyKey = request.headers.get('idempotency-key')!
        const result = await concierge.notify(body, { idempotencyKey })
        if (losses-- > 0) throw new TypeError('The connection was lost')
        return Response.json({ success: true, data: result })
      },
    })
    const data = { subject: 'Hello', body: 'There' }
    const result = await lossy.notify({ recipientEmail, appCode, type: 'generic', data })
    assert.equal(result.status, 'sent')
    assert.lengthOf(sent, 3)
    const recorded = await Notification.query().where('email', recipientEmail)
    assert.lengthOf(recorded, 1)
  })
})
