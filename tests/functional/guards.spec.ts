import { test } from '@japa/runner'
import Application from '#app/applications/models/application'
import { APPLICATION_MANAGER_ROLE, PANEL_ADMIN_ROLE } from '#app/applications/values/panel'
import type { ApiClient } from '@japa/api-client'
import { hasLevel, hasRole, removeOtherSuperAdmins } from '#tests/access/callers'
import { ROUTES, bodyOf, expected, kindOf, oneOfEachGuard } from '#tests/access/routes'
import { tryCallers } from '#tests/access/try_callers'
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

// The access matrix tries all routes on SQLite.
if (process.env.DB_CONNECTION === 'pg') {
  test.group('The guards of every section', (group) => {
    const entities = new TestHttpServer((_, response) => sendJson(response, []))
    group.setup(async () => {
      await entities.start()
      return () => entities.stop()
    })

    group.teardown(removeOtherSuperAdmins)

    test('{$self}')
      .with(oneOfEachGuard())
      .run(async ({ assert, client }, route) => {
        const outcomes = await tryCallers(route, { client, listEndpoint: entities.url })
        assert.deepEqual(outcomes, expected(route))
      })
  })
}

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
