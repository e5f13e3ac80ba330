import router from '@adonisjs/core/services/router'
import { test } from '@japa/runner'
import type { ApiClient, ApiResponse } from '@japa/api-client'
import Application from '#app/applications/models/application'
import { APPLICATION_MANAGER_ROLE, PANEL_ADMIN_ROLE } from '#app/applications/values/panel'
import {
  type Credentials,
  credentialsOf,
  hasLevel,
  hasRole,
  removeOtherSuperAdmins,
} from '#tests/access/callers'
import { pathIn } from '#tests/access/scene'
import { CALLERS, type Caller } from '#tests/access/section_access'
import { ROUTES, bodyOf, expected, kindOf } from '#tests/access/routes'
import {
  anAdministratorOf,
  anApplication,
  signedIn,
  uniqueCode,
  uniqueEmail,
} from '#tests/helpers/people'
import { aTemplate, aType } from '#tests/helpers/templates'
import { TestHttpServer, sendJson } from '#tests/world/http_server'
import { SUPER_ADMIN, issuer } from '#tests/world/prepare'

/** Every route of the service as `METHOD pattern`; a GET serves HEAD as well. */
const routes = () =>
  Object.values(router.toJSON())
    .flat()
    .map(({ methods, pattern }) => `${methods[0]} ${pattern}`)

const callers = Object.keys(CALLERS) as Caller[]
const DEACTIVATED: Caller[] = ['exEdit', 'exAdmin', 'exGlobal', 'exSuper']
const entities = new TestHttpServer((_, response) => sendJson(response, []))

interface Sending {
  client: ApiClient
  application: Application
  credentials: Credentials
}

async function send(route: string, { client, application, credentials }: Sending) {
  const { headers, email } = credentials
  const [method, pattern] = route.split(' ')
  const scene = { client, application, email, listEndpoint: entities.url }
  const path = await pathIn(scene, pattern)
  const request = client.request(path, method).redirects(0)
  for (const [name, value] of Object.entries(headers)) request.header(name, value)
  const body = bodyOf(route, application.code)
  if (body === undefined) return request.send()
  if (body instanceof URLSearchParams) return request.form(Object.fromEntries(body)).send()
  return (method === 'GET' ? request.qs(body) : request.json(body)).send()
}

/**
 * `401` and `403` are problems of the guard. Everything that the request names exists, so a 404
 * means that it is hidden. What an endpoint does past its guard is tested elsewhere.
 */
function outcomeOf(response: ApiResponse, route: string, caller: Caller): string {
  const status = response.status()
  const unknown = kindOf(route) === 'signed' ? 'INVALID_SIGNATURE' : 'UNAUTHENTICATED'
  if (status === 401) response.assertProblem(401, unknown)
  if (status === 403) response.assertProblem(403, refusalOf(route, caller))
  const isPast = status < 500 && ![401, 403, 404, 405, 429].includes(status)
  return isPast ? 'pass' : String(status)
}

function refusalOf(route: string, caller: Caller): string {
  if (kindOf(route).endsWith('nternal')) return 'KEY_NOT_FOR_APPLICATION'
  if (kindOf(route) === 'authzen') return 'FORBIDDEN'
  return DEACTIVATED.includes(caller) ? 'USER_INACTIVE' : 'FORBIDDEN'
}

test.group('Access matrix', (group) => {
  group.setup(async () => {
    await entities.start()
    return () => entities.stop()
  })

  group.teardown(removeOtherSuperAdmins)

  test('every route has a row in the table, and every row a route', ({ assert }) => {
    const [rows, served] = [new Set(Object.keys(ROUTES)), new Set(routes())]
    assert.deepEqual([...served.difference(rows)], [], 'routes without a row')
    assert.deepEqual([...rows.difference(served)], [], 'rows without a route')
  })

  test('{$self}')
    .with(Object.keys(ROUTES))
    .run(async ({ assert, client }, route) => {
      const outcomes: Record<string, string> = {}
      let application = await anApplication()
      for (const caller of callers) {
        const credentials = await credentialsOf(caller, application, client)
        const response = await send(route, { client, application, credentials })
        outcomes[caller] = outcomeOf(response, route, caller)
        // The next caller finds the application as it was made.
        const isUnchanged = outcomes[caller] !== 'pass' || route.startsWith('GET ')
        if (!isUnchanged) application = await anApplication()
      }
      assert.deepEqual(outcomes, expected(route))
    })
})

/** Routes that ask for a panel level on the application in their path. */
const treeRoutes = Object.keys(ROUTES).filter(
  (route) => route.includes(':appCode') && ['view', 'edit', 'global'].includes(kindOf(route))
)

/** The route on an application that need not exist, or must not be changed. */
function onApplication(
  client: ApiClient,
  route: string,
  appCode: string,
  token: string,
  { id = 1, person = uniqueEmail() } = {}
) {
  const [method, pattern] = route.split(' ')
  const path = pattern
    .replaceAll(':appCode', appCode)
    .replaceAll(':email', person)
    .replaceAll(/:[a-z]+/gi, String(id))
  return client
    .request(path, method)
    .header('authorization', `Bearer ${token}`)
    .json(bodyOf(route, appCode) ?? {})
    .send()
}

test.group('The application of the panel itself', () => {
  test('ignores a level on itself, so that nobody can raise their own: {$self}')
    .with(treeRoutes)
    .run(async ({ client }, route) => {
      const email = await hasLevel(uniqueEmail(), 'auth', 'edit')
      await hasRole(email, APPLICATION_MANAGER_ROLE)
      for (const spelling of ['auth', '%61uth']) {
        const response = await onApplication(client, route, spelling, await issuer.token(email))
        response.assertProblem(403, 'FORBIDDEN')
      }
    })

  test('is closed to administrators of other applications: {$self}')
    .with(treeRoutes)
    .run(async ({ client }, route) => {
      const email = await anAdministratorOf(await anApplication())
      const response = await onApplication(client, route, 'auth', await issuer.token(email))
      response.assertProblem(403, 'FORBIDDEN')
    })

  test('is also closed through its templates: {$self}')
    .with(Object.keys(ROUTES).filter((route) => kindOf(route).startsWith('tpl')))
    .run(async ({ client, cleanup }, route) => {
      const panel = await Application.withCode('auth')
      const type = await aType(panel)
      cleanup(() => type.delete())
      const { id } = await aTemplate(panel, type)
      const email = await hasLevel(uniqueEmail(), 'auth', 'edit')
      await hasRole(email, APPLICATION_MANAGER_ROLE)
      const token = await issuer.token(email)
      const response = await onApplication(client, route, 'auth', token, { id })
      response.assertProblem(404, 'TEMPLATE_NOT_FOUND')
    })

  test('is open to a global panel admin: {$self}')
    .with(treeRoutes.filter((route) => /^GET (?!.*:(?!appCode|email))/.test(route)))
    .run(async ({ client }, route) => {
      const email = await hasRole(uniqueEmail(), PANEL_ADMIN_ROLE)
      const token = await issuer.token(email)
      await signedIn(client, email).get('/api/profile/me')
      const response = await onApplication(client, route, 'auth', token, { person: email })
      response.assertStatus(200)
    })

  test('is not reached under another spelling of its code', async ({ client }) => {
    const email = await hasLevel(uniqueEmail(), 'AUTH', 'edit')
    await hasRole(email, APPLICATION_MANAGER_ROLE)
    const response = await signedIn(client, email).get('/api/applications/AUTH')
    response.assertProblem(404, 'APPLICATION_NOT_FOUND')
  })
})

test.group('An application that does not exist', () => {
  test('is hidden like any other from those without a level: {$self}')
    .with(treeRoutes)
    .run(async ({ client }, route) => {
      const code = uniqueCode()
      const stranger = await onApplication(client, route, code, await issuer.token(uniqueEmail()))
      stranger.assertProblem(403, 'FORBIDDEN')
      const admin = await onApplication(client, route, code, await issuer.reusedToken(SUPER_ADMIN))
      admin.assertProblem(404, 'APPLICATION_NOT_FOUND')
    })
})
