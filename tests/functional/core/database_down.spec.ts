import { test } from '@japa/runner'
import router from '@adonisjs/core/services/router'
import db from '@adonisjs/lucid/services/db'
import type { ApiClient } from '@japa/api-client'
import type { Assert } from '@japa/assert'
import ApplicationPreference from '#app/profiles/models/application_preference'
import LoginRecord from '#app/profiles/models/login_record'
import User from '#app/profiles/models/user'
import { eventually } from '#tests/helpers/eventually'
import { manageApplication } from '#tests/helpers/management'
import { anApplication, uniqueEmail } from '#tests/helpers/people'
import { credentials, problemOf } from '#tests/helpers/send'
import { removeOtherSuperAdmins } from '#tests/access/callers'
import { type WriteRoute, writeRoutes } from '#tests/access/write_routes'
import { type RunningService, startService } from '#tests/world/service'
import { TcpProxy } from '#tests/world/tcp_proxy'

let proxy: TcpProxy & { url: string }
let service: RunningService

type Route = Pick<WriteRoute, 'method' | 'path' | 'body' | 'sender'>

/** Routes that do not use the database. */
const WITHOUT_DATABASE: Record<string, number> = {
  '/': 200,
  '/panel': 200,
  '/panel/*': 200,
  '/api/health/live': 200,
  '/metrics': 200,
  '/api/openapi.json': 200,
  '/docs': 200,
  '/docs/scalar.js': 200,
  '/docs/schemas/application-policy.json': 200,
  '/docs/start.js': 200,
  '/concierge-inbox.js': 200,
  '/docs/errors/en': 404,
  '/panel/login': 302,
  '/panel/callback': 400,
  '/panel/logout': 200,
  '/api/check/cache/clear': 200,
  '/api/idp/health': 200,
  '/api/idp/discovery': 200,
  '/api/idp/login': 400,
  '/api/idp/callback': 400,
  '/api/unsubscribe/not-a-token': 404,
}

const QUERIES: Record<string, string> = {
  '/api/internal/notifications/types': '?appCode=auth',
  // Without a page, it is a stream, which does not end.
  '/api/internal/changes': '?limit=1',
}

async function send({ method, path, body, sender }: Route) {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const headers = { 'content-type': 'application/json', ...(await credentials(sender, text)) }
  return fetch(`${service.url}${path}`, { method, headers, body: text, redirect: 'manual' })
}

function readRoutes(): Route[] {
  const parameters: Record<string, string> = {
    appCode: 'auth',
    email: 'ada@acme.example',
    locale: 'en',
    type: 'generic',
    code: 'en',
    token: 'not-a-token',
  }
  return Object.values(router.toJSON())
    .flat()
    .filter(({ methods }) => methods.includes('GET'))
    .map(({ pattern }) => ({
      method: 'GET',
      path:
        pattern.replace(/:(\w+)/g, (_, name: string) => parameters[name] ?? '1') +
        (QUERIES[pattern] ?? ''),
      body: undefined,
      sender: pattern.startsWith('/api/internal/') ? 'internal' : 'token',
    }))
}

async function assertUnavailable(assert: Assert, response: Response, what: string) {
  assert.equal(response.status, 503, what)
  assert.match(response.headers.get('retry-after') ?? '', /^[1-9]\d*$/, what)
  assert.equal((await problemOf(assert, response, what)).code, 'DATABASE_UNAVAILABLE', what)
}

/** A user with a permission, and checks that are never cached. */
async function aPermittedPerson(client: ApiClient) {
  const email = uniqueEmail()
  const { code: app } = await anApplication()
  const manage = manageApplication(client, app)
  const [permission, role] = [await manage.permission(), await manage.role()]
  await manage.rolePermissions(role.id, [{ permissionId: permission.id, accessLevel: 'allowed' }])
  await manage.userRoles(email, [role.id])
  let number = 0
  const question = { email, app, permission: permission.code as string }
  return {
    known: question,
    next: () => ({ ...question, resourceType: 'document', resourceId: String(++number) }),
  }
}

const check = (body: WriteRoute['body'], path = '/api/check') =>
  send({ method: 'POST', path, body, sender: 'network' })

const isAllowed = async (response: Response) =>
  ((await response.json()) as { data: { allowed: boolean } }).data.allowed

if (process.env.DB_CONNECTION === 'pg') {
  test.group('Database down', (group) => {
    group.teardown(removeOtherSuperAdmins)

    group.setup(async () => {
      proxy = await TcpProxy.inFrontOf(process.env.DATABASE_URL!)
      service = await startService({ DATABASE_URL: proxy.url })
      return async () => {
        await service.stop()
        proxy.stop()
      }
    })
    group.each.setup(() => async () => {
      proxy.resume()
      await proxy.accept()
      await eventually('the service has its database again', async () => {
        const response = await fetch(`${service.url}/api/health/ready`)
        await response.body?.cancel()
        return response.ok
      })
    })

    test('every route is 503 while the database is down, and works again afterwards', async ({
      assert,
      client,
    }) => {
      const routes = [...readRoutes(), ...(await writeRoutes(client))]
      proxy.refuse()
      proxy.cut()
      for (const route of routes) {
        const what = `${route.method} ${route.path}`
        const response = await send(route)
        if (route.path in WITHOUT_DATABASE) {
          assert.equal(response.status, WITHOUT_DATABASE[route.path], what)
        } else await assertUnavailable(assert, response, what)
      }

      await proxy.accept()
      for (const route of routes) {
        const what = `${route.method} ${route.path}`
        const response = await send(route)
        const isStream = response.headers.get('content-type') === 'text/event-stream'
        if (isStream) await response.body?.cancel()
        assert.notEqual(response.status, 503, isStream ? what : `${what} ${await response.text()}`)
      }
    }).timeout(60_000)

    test('a check that cannot be evaluated is 503, never a denial', async ({ assert, client }) => {
      const { known, next } = await aPermittedPerson(client)
      assert.isTrue(await isAllowed(await check(known)))
      proxy.refuse()
      proxy.cut()
      const { email, app, permission } = known
      const permissions = [permission, 'another']
      for (const [path, body] of [
        ['/api/check', next()],
        ['/api/check', { ...known, email: uniqueEmail() }],
        ['/api/check/bulk', { email, app, permissions }],
        ['/api/check/effective', { email, app }],
        ['/api/check/search/subjects', { app, permission }],
        ['/api/profile/me/check/search/resources', { app, permission, resourceType: 'document' }],
        ['/api/profile/me/check', { app, permission }],
        ['/api/profile/me/check/bulk', { app, permissions }],
        ['/api/profile/me/check/effective', { app }],
      ] as const) {
        const sender = path.startsWith('/api/check') ? 'network' : 'token'
        const response = await send({ method: 'POST', path, body: { ...body } as never, sender })
        await assertUnavailable(assert, response, path)
      }
      // Cached decisions remain valid for 30 seconds.
      const cached = await check(known)
      if (cached.ok) assert.isTrue(await isAllowed(cached))
      else await assertUnavailable(assert, cached, 'cached')

      await proxy.accept()
      await eventually('checks get responses', async () => (await check(next())).ok)
      assert.isTrue(await isAllowed(await check(next())))
    })

    test('metrics omit the backlog while the database is down', async ({ assert }) => {
      const metrics = async () => (await fetch(`${service.url}/metrics`)).text()
      assert.include(await metrics(), 'concierge_outbox_backlog{')
      proxy.refuse()
      proxy.cut()
      const rest = await eventually('the count is no longer known', async () => {
        const text = await metrics()
        return text.includes('concierge_outbox_backlog{') ? undefined : text
      })
      assert.include(rest, 'concierge_http_requests_in_flight{')
    })

    test('idle connections that are cut are replaced without errors', async ({
      assert,
      client,
    }) => {
      const { next } = await aPermittedPerson(client)
      for (let time = 0; time < 3; time++) {
        await Promise.all(Array.from({ length: 15 }, () => check(next())))
        proxy.cut()
        await eventually('a check gets a response', async () => (await check(next())).ok)
        const responses = await Promise.all(Array.from({ length: 15 }, () => check(next())))
        for (const response of responses) {
          assert.equal(response.status, 200)
          assert.isTrue(await isAllowed(response))
        }
      }
    })

    test('connections cut during requests result in a correct response or 503', async ({
      assert,
      client,
    }) => {
      const { next } = await aPermittedPerson(client)
      const statuses = new Set<number>()
      for (let round = 0; round < 10; round++) {
        const sending = Array.from({ length: 20 }, async (_, number) => {
          const response = await check(next())
          if (number === 5) proxy.cut()
          return response
        })
        for (const response of await Promise.all(sending)) {
          statuses.add(response.status)
          if (response.ok) assert.isTrue(await isAllowed(response))
          else await assertUnavailable(assert, response, `round ${round}`)
        }
      }
      assert.include([...statuses], 200)
    })

    test('interrupted writes are stored completely or not at all', async ({ assert }) => {
      const { code } = await anApplication()
      const email = uniqueEmail()
      const login = { email, appCode: code, event: 'login' }
      const path = '/api/internal/auth/application-events'
      let confirmed = 0
      for (let round = 0; round < 10; round++) {
        const sending = Array.from({ length: 10 }, async (_, number) => {
          const response = await send({ method: 'POST', path, body: login, sender: 'internal' })
          if (number === 2) proxy.cut()
          return response
        })
        for (const response of await Promise.all(sending)) {
          if (response.ok) confirmed++
          else await assertUnavailable(assert, response, `round ${round}`)
        }
      }
      const user = await User.withEmail(email)
      const preference = await ApplicationPreference.findByOrFail({ userId: user.id })
      const records = await LoginRecord.query().where({ email })
      // A commit whose confirmation was lost counts as well: count and records must agree.
      assert.equal(preference.loginCount, records.length)
      assert.isAtLeast(preference.loginCount, confirmed)
      assert.isAbove(confirmed, 0)
    })

    test('an unresponsive database is 503 in time, and used again once it responds', async ({
      assert,
      client,
    }) => {
      const { next } = await aPermittedPerson(client)
      await check(next())
      proxy.stall()
      const [checked, ready, live] = await Promise.all([
        check(next()),
        fetch(`${service.url}/api/health/ready`),
        fetch(`${service.url}/api/health/live`),
      ])
      assert.equal(live.status, 200)
      await assertUnavailable(assert, checked, 'check')
      await assertUnavailable(assert, ready, 'ready')

      proxy.resume()
      await eventually('checks get responses', async () => (await check(next())).ok)
      assert.isTrue(await isAllowed(await check(next())))
    })

    test('a silently dead connection is replaced', async ({ assert, client }) => {
      const { next } = await aPermittedPerson(client)
      const profile: Route = {
        method: 'GET',
        path: '/api/profile/me',
        body: undefined,
        sender: 'token',
      }
      const many = () =>
        Promise.all(Array.from({ length: 30 }, (_, n) => (n % 2 ? check(next()) : send(profile))))
      await many()
      proxy.abandon()
      for (const response of await many()) {
        if (response.status !== 200) await assertUnavailable(assert, response, 'dead path')
      }
      for (const response of await many()) assert.equal(response.status, 200)
    })

    test('connections closed by the server are replaced', async ({ assert, client }) => {
      const { next } = await aPermittedPerson(client)
      await Promise.all(Array.from({ length: 10 }, () => check(next())))
      await db.rawQuery(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`
      )
      await eventually('checks get responses', async () => (await check(next())).ok)
      const responses = await Promise.all(Array.from({ length: 10 }, () => check(next())))
      for (const response of responses) assert.isTrue(await isAllowed(response))
    })
  })
}
