import { type IncomingMessage, createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type OwnCheckQuestion, createConcierge } from '@concierge/client'
import { requirePermission as adonisGuard } from '@concierge/client/adonis'
import { requirePermission as expressGuard } from '@concierge/client/express'
import { requirePermission as fastifyGuard } from '@concierge/client/fastify'
import { HttpContextFactory, RequestFactory } from '@adonisjs/core/factories/http'
import type { HttpContext } from '@adonisjs/core/http'
import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import fastify, { type FastifyRequest } from 'fastify'
import { aClient } from '#tests/helpers/clients'
import { manageApplication } from '#tests/helpers/management'
import { anApplication, uniqueEmail } from '#tests/helpers/people'
import { TestHttpServer, sendJson } from '#tests/world/http_server'
import { issuer } from '#tests/world/prepare'

/** An application and a user with `orders` on order 7. */
async function aShop(client: ApiClient) {
  const { code: app } = await anApplication()
  const email = uniqueEmail('clerk')
  const manage = manageApplication(client, app)
  const orders = await manage.permission({ code: 'orders' })
  await manage.overrides(email, ['order', '7'], [{ permissionId: orders.id, granted: true }])
  const need = (id: string) => ({ app, permission: 'orders', resource: { type: 'order', id } })
  return { need, email, token: await issuer.token(email) }
}

const idIn = (url = '') => url.slice(url.lastIndexOf('/') + 1)

const nowhere = createConcierge({ url: 'http://127.0.0.1:9', retries: 0 })

type Need = (id: string) => OwnCheckQuestion
type Ask = (path: string, token?: string) => Promise<{ status: number; code?: string }>

async function outcomeOf(response: Response) {
  const body = response.headers.get('content-type')?.includes('json') ? await response.json() : {}
  return { status: response.status, code: (body as { code?: string }).code }
}

const headersOf = (token?: string) => (token ? { authorization: `Bearer ${token}` } : undefined)

/** Servers with a guarded route `/orders/:id`. */
const SERVERS = {
  async Fastify(concierge: typeof nowhere, need: Need) {
    const app = fastify()
    const guard = fastifyGuard(concierge, ({ url }: FastifyRequest) => need(idIn(url)))
    app.get('/orders/:id', { preHandler: guard }, () => ({ fine: true }))
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    const ask: Ask = async (path, token) =>
      outcomeOf(await fetch(url + path, { headers: headersOf(token) }))
    return { ask, close: () => app.close() }
  },

  async Express(concierge: typeof nowhere, need: Need) {
    const guard = expressGuard(concierge, ({ url }: IncomingMessage) => need(idIn(url)))
    // The parts of Express' response that the guard uses.
    const server = createServer((request, response) => {
      const express = {
        status: (code: number) => (response.statusCode = code),
        set: (headers: Record<string, string>) =>
          response.setHeaders(new Map(Object.entries(headers))),
        send: (body: string) => response.end(body),
      }
      void guard(request, express, () => response.end('fine'))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const ask: Ask = async (path, token) =>
      outcomeOf(await fetch(url + path, { headers: headersOf(token) }))
    return { ask, close: () => server.close() }
  },

  async AdonisJS(concierge: typeof nowhere, need: Need) {
    const guard = adonisGuard(concierge, ({ request }: HttpContext) => need(idIn(request.url())))
    const ask: Ask = async (path, token) => {
      const request = new RequestFactory().merge({ url: path }).create()
      const ctx = new HttpContextFactory().merge({ request }).create()
      if (token) ctx.request.request.headers.authorization = `Bearer ${token}`
      let passed = false
      await guard(ctx, async () => void (passed = true))
      if (passed) return { status: 200 }
      return { status: ctx.response.getStatus(), code: JSON.parse(ctx.response.getBody()).code }
    }
    return { ask, close: () => {} }
  },
}

for (const [kind, start] of Object.entries(SERVERS)) {
  test.group(`A route of ${kind} guarded by the client`, () => {
    test('requires the permission', async ({ client, assert, cleanup }) => {
      const { need, token } = await aShop(client)
      const { ask, close } = await start(aClient().concierge, need)
      cleanup(async () => void (await close()))
      assert.equal((await ask('/orders/7', token)).status, 200)
      assert.deepEqual(await ask('/orders/8', token), { status: 403, code: 'FORBIDDEN' })
      const stranger = await issuer.token(uniqueEmail())
      assert.deepEqual(await ask('/orders/7', stranger), { status: 403, code: 'FORBIDDEN' })
      assert.deepEqual(await ask('/orders/7'), { status: 401, code: 'UNAUTHENTICATED' })
      assert.deepEqual(await ask('/orders/7', 'garbage'), { status: 401, code: 'UNAUTHENTICATED' })
    })

    test('always checks the owner of the token', async ({ client, assert, cleanup }) => {
      const { need, email } = await aShop(client)
      const { ask, close } = await start(aClient().concierge, (id) => ({ ...need(id), email }))
      cleanup(async () => void (await close()))
      const stranger = await issuer.token(uniqueEmail())
      assert.deepEqual(await ask('/orders/7', stranger), { status: 403, code: 'FORBIDDEN' })
      assert.deepEqual(await ask('/orders/7', 'garbage'), { status: 401, code: 'UNAUTHENTICATED' })
    })

    test('passes on why Concierge refuses a user', async ({ assert, cleanup }) => {
      const conflict = { code: 'IDENTITY_CONFLICT', detail: 'x', details: {}, requestId: 'r' }
      const world = new TestHttpServer((_, response) => sendJson(response, conflict, 403))
      const { url } = await world.start()
      const need = (id: string) => ({ app: 'shop', permission: id })
      const { ask, close } = await start(createConcierge({ url }), need)
      cleanup(async () => void (await Promise.all([close(), world.stop()])))
      assert.deepEqual(await ask('/orders/7', 'any'), { status: 403, code: 'IDENTITY_CONFLICT' })
    })

    test('refuses all requests while Concierge is unreachable', async ({ assert, cleanup }) => {
      const { ask, close } = await start(nowhere, (id) => ({ app: 'shop', permission: id }))
      cleanup(async () => void (await close()))
      assert.deepEqual(await ask('/orders/7', 'any'), { status: 503, code: 'CHECK_UNAVAILABLE' })
    })
  })
}
