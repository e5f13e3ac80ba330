import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import router from '@adonisjs/core/services/router'
import { test } from '@japa/runner'
import ApplicationAdmin from '#app/permissions/models/application_admin'
import { inSearchBudget } from '#core/database/work_budgets'
import { readTurns } from '#core/http/read_turns'
import { aKeyOf, serverWith } from '#tests/helpers/application_keys'
import { manageApplication } from '#tests/helpers/management'
import { aTemplate, aVersion } from '#tests/helpers/templates'
import { anApplication, signedIn, superAdmin, uniqueCode, uniqueEmail } from '#tests/helpers/people'

/** Changes whose responses are whole lists. */
const CHANGES_IN_TURN = [
  'PATCH /api/applications/:appCode/role-permissions',
  'PUT /api/applications/:appCode/roles/:roleId/permissions',
  'PUT /api/users/:email/apps/:appCode/resources/:resourceType/:resourceId/permissions',
  'PUT /api/users/:email/apps/:appCode/roles',
]
const PREVIEWS_IN_TURN = ['POST /api/admin/notifications/templates/:id/locales/:locale/preview']
/** What users can make large themselves. */
const OWN_READS_IN_TURN = [
  'GET /api/applications/:appCode/i18n/:locale',
  'GET /api/profile/me/notifications/:appCode',
  'GET /api/profile/me/notifications/inbox',
]
/** Reads that need a panel level or a key, but no turn. */
const WITHOUT_TURN = [
  // One record, or a page of short ones.
  'GET /api/admin/audit/head',
  'GET /api/admin/languages/coverage',
  'GET /api/admin/notifications/bounces',
  'GET /api/admin/notifications/broadcast/:appCode',
  'GET /api/admin/notifications/broadcast/:appCode/:id',
  'GET /api/admin/notifications/suppressions',
  'GET /api/applications',
  'GET /api/applications/:appCode/keys',
  'GET /api/applications/:appCode/login-records',
  'GET /api/applications/:appCode/webhooks',
  'GET /api/applications/:appCode/webhooks/:id',
  'GET /api/internal/notifications/:id',
  'GET /api/internal/notifications/:id/explain',
  'GET /api/panel/session',
  'GET /api/profile/:email',
  'GET /api/profile/me/admin-status',
  'GET /api/users',
  'GET /api/users/:email',
  'GET /api/users/:email/apps/:appCode/preferences',
  'GET /api/users/:email/login-records',
  'GET /api/users/:email/push-subscriptions',
  // Searches of large tables.
  'GET /api/admin/activity',
  'GET /api/admin/attention',
  'GET /api/admin/notifications/broadcast/:appCode/:id/reasons',
  'GET /api/admin/notifications/broadcast/:appCode/:id/recipients',
  'GET /api/admin/notifications/stats/:appCode',
  'GET /api/applications/:appCode/access-review',
  // Only super admins write what they return.
  'GET /api/admin/brands',
  'GET /api/admin/brands/:id',
  'GET /api/admin/languages',
  'GET /api/admin/operations',
  'GET /api/admin/user-pools',
  'GET /api/users/admins',
  // They last as long as somebody listens.
  'GET /api/admin/notifications/broadcast/:appCode/:id/stream',
  'GET /api/internal/changes',
  'GET /api/users/:email/export',
  // They ask another service.
  'GET /api/applications/:appCode/entities/:entityCode/items',
  'GET /api/applications/:appCode/idp/sync',
  'GET /api/idp/admin/applications',
  'GET /api/idp/admin/notification-provider',
  'GET /api/idp/admin/notification-provider/setup',
  'GET /api/idp/admin/orgs',
  'GET /api/idp/admin/orgs/:orgId/branding',
  'GET /api/idp/admin/reconciliations',
]

/** Some that look at the caller's rights by themselves, and some whose route does. */
const SEARCHES = [
  '/api/users?search=a&appCode=:appCode',
  '/api/admin/audit?application=:appCode',
  '/api/admin/activity?appCode=:appCode',
  '/api/admin/attention?appCode=:appCode',
  '/api/applications/:appCode/access-review',
  '/api/applications/:appCode/policy',
]

const MANAGEMENT = ['panel', 'templatePanel', 'internalKey']

function routes() {
  return Object.values(router.toJSON())
    .flat()
    .map(({ methods: [method], pattern, middleware }) => {
      const guards = [...middleware.all()].map((guard) => ('name' in guard ? guard.name : ''))
      return {
        name: `${method} ${pattern}`,
        isInTurn: guards.includes('inTurn'),
        isManagementRead: method === 'GET' && guards.some((name) => MANAGEMENT.includes(name!)),
      }
    })
}

const namesOf = (found: { name: string }[]) => found.map(({ name }) => name)

test.group('Large responses', () => {
  test('are read in turn if they need a panel level or a key', ({ assert }) => {
    const others = routes().filter((route) => route.isManagementRead && !route.isInTurn)
    assert.sameMembers(namesOf(others), WITHOUT_TURN)
  })

  test('take turns in changes, previews and the own reads of users', ({ assert }) => {
    const inTurn = routes().filter((route) => route.isInTurn && !route.isManagementRead)
    assert.sameMembers(namesOf(inTurn), [
      ...CHANGES_IN_TURN,
      ...PREVIEWS_IN_TURN,
      ...OWN_READS_IN_TURN,
    ])
  })
})

test.group('Reads that wait for their turn', () => {
  /** Holds the turn of a caller until it is called. */
  function holdTurn(caller: string) {
    const work = Promise.withResolvers<void>()
    const response = new ServerResponse(new IncomingMessage(new Socket()))
    const working = readTurns.run({ caller, target: uniqueCode(), response }, () => work.promise)
    return async () => {
      work.resolve()
      await working
      response.emit('close')
    }
  }

  test('are refused if the key is revoked meanwhile', async ({ client }) => {
    const application = await anApplication()
    const { text, id } = await aKeyOf(application)
    const server = serverWith(client, text)
    const path = `/notifications/log/app/${application.code}`
    const release = holdTurn(`key:application ${application.id}`)
    const asked = server.get(path)
    await superAdmin(client).get('/api/applications')
    await superAdmin(client).delete(`/api/applications/${application.code}/keys/${id}`)
    await release()
    const response = await asked
    response.assertProblem(401, 'UNAUTHENTICATED')
  })

  test('are refused if the user is deactivated meanwhile', async ({ client }) => {
    const email = uniqueEmail()
    const user = signedIn(client, email)
    await user.get('/api/profile/me')
    const release = holdTurn(`user:${email}`)
    const asked = user.get('/api/profile/me/notifications/inbox')
    await superAdmin(client).get('/api/applications')
    const path = `/api/users/${encodeURIComponent(email)}/active`
    const deactivated = await superAdmin(client).put(path, { active: false })
    deactivated.assertStatus(200)
    await release()
    const response = await asked
    response.assertProblem(403, 'USER_INACTIVE')
  })

  test('are refused, as previews, if the administrator is removed meanwhile', async ({
    client,
  }) => {
    const application = await anApplication()
    const template = await aTemplate(application, { code: 'generic' })
    await aVersion(template, 'en')
    const email = uniqueEmail()
    await manageApplication(client, application.code).administrator(email)
    const release = holdTurn(`user:${email}`)
    const path = `/api/admin/notifications/templates/${template.id}/locales/en/preview`
    const asked = signedIn(client, email).post(path, { data: {} })
    // Meanwhile, the guards decide about the preview.
    for (let nth = 0; nth < 5; nth++) await signedIn(client, email).get('/api/profile/me')
    await ApplicationAdmin.query().where({ email, applicationId: application.id }).delete()
    await release()
    const response = await asked
    response.assertProblem(404, 'TEMPLATE_NOT_FOUND')
  })

  test('of large tables are refused if an application is no longer visible: {$self}')
    .with(SEARCHES)
    .run(async ({ client }, path) => {
      const [one, other] = [await anApplication(), await anApplication()]
      const email = uniqueEmail()
      for (const { code } of [one, other])
        await manageApplication(client, code).administrator(email)
      const work = Promise.withResolvers<void>()
      const searching = inSearchBudget(`user:${email}`, () => work.promise)
      const asked = signedIn(client, email).get(path.replace(':appCode', one.code))
      // Meanwhile, the guards decide about the first request.
      for (let nth = 0; nth < 5; nth++) await signedIn(client, email).get('/api/profile/me')
      await ApplicationAdmin.query().where({ email, applicationId: one.id }).delete()
      work.resolve()
      await searching
      const response = await asked
      response.assertProblem(403, 'FORBIDDEN')
    })
})
