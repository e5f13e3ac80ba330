import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import router from '@adonisjs/core/services/router'
import { test } from '@japa/runner'
import ApplicationAdmin from '#app/permissions/models/application_admin'
import { inSearchBudget } from '#core/database/work_budgets'
import { readTurns } from '#core/http/read_turns'
import { aKeyOf, serverWith } from '#tests/helpers/application_keys'
import { manageApplication } from '#tests/helpers/management'
import { anApplication, signedIn, superAdmin, uniqueCode, uniqueEmail } from '#tests/helpers/people'

/** Changes whose responses are whole lists. */
const CHANGES_IN_TURN = [
  'PATCH /api/applications/:appCode/role-permissions',
  'PUT /api/applications/:appCode/roles/:roleId/permissions',
  'PUT /api/users/:email/apps/:appCode/resources/:resourceType/:resourceId/permissions',
  'PUT /api/users/:email/apps/:appCode/roles',
]
/** What users can make large themselves. */
const OWN_READS_IN_TURN = [
  'GET /api/applications/:appCode/i18n/:locale',
  'GET /api/profile/me/notifications/:appCode',
  'GET /api/profile/me/notifications/inbox',
]
/** Reads that need a panel level or a key, and need no turn. */
const OTHER_READS = {
  // One record or a page of short ones.
  '/api/admin/audit/head': 'short',
  '/api/admin/languages/coverage': 'short',
  '/api/admin/notifications/bounces': 'short',
  '/api/admin/notifications/broadcast/:appCode': 'short',
  '/api/admin/notifications/broadcast/:appCode/:id': 'short',
  '/api/admin/notifications/suppressions': 'short',
  '/api/applications': 'short',
  '/api/applications/:appCode/keys': 'short',
  '/api/applications/:appCode/login-records': 'short',
  '/api/applications/:appCode/webhooks': 'short',
  '/api/applications/:appCode/webhooks/:id': 'short',
  '/api/internal/notifications/:id': 'short',
  '/api/internal/notifications/:id/explain': 'short',
  '/api/panel/session': 'short',
  '/api/profile/:email': 'short',
  '/api/profile/me/admin-status': 'short',
  '/api/users': 'short',
  '/api/users/:email': 'short',
  '/api/users/:email/apps/:appCode/preferences': 'short',
  '/api/users/:email/login-records': 'short',
  '/api/users/:email/push-subscriptions': 'short',
  // Searches of large tables.
  '/api/admin/activity': 'search',
  '/api/admin/attention': 'search',
  '/api/admin/notifications/broadcast/:appCode/:id/reasons': 'search',
  '/api/admin/notifications/broadcast/:appCode/:id/recipients': 'search',
  '/api/admin/notifications/stats/:appCode': 'search',
  '/api/applications/:appCode/access-review': 'search',
  // Written by super admins only.
  '/api/admin/brands': 'platform',
  '/api/admin/brands/:id': 'platform',
  '/api/admin/languages': 'platform',
  '/api/admin/operations': 'platform',
  '/api/admin/user-pools': 'platform',
  '/api/users/admins': 'platform',
  // They last as long as somebody listens, or as another service takes to respond.
  '/api/admin/notifications/broadcast/:appCode/:id/stream': 'stream',
  '/api/internal/changes': 'stream',
  '/api/users/:email/export': 'stream',
  '/api/applications/:appCode/entities/:entityCode/items': 'service',
  '/api/applications/:appCode/idp/sync': 'service',
  '/api/idp/admin/applications': 'service',
  '/api/idp/admin/notification-provider': 'service',
  '/api/idp/admin/notification-provider/setup': 'service',
  '/api/idp/admin/orgs': 'service',
  '/api/idp/admin/orgs/:orgId/branding': 'service',
  '/api/idp/admin/reconciliations': 'service',
}

function routes() {
  return Object.values(router.toJSON())
    .flat()
    .map(({ methods, pattern, middleware }) => {
      const guards = [...middleware.all()].map((guard) =>
        'name' in guard ? guard.name : undefined
      )
      return { name: `${methods[0]} ${pattern}`, guards, isRead: methods[0] === 'GET' }
    })
}

test.group('Large responses', () => {
  test('are read in turn, and so are all others that a panel level or a key opens', ({
    assert,
  }) => {
    const opening = ['panel', 'templatePanel', 'internalKey']
    const reads = routes().filter(
      ({ guards, isRead }) => isRead && guards.some((guard) => opening.includes(guard!))
    )
    const others = reads.filter(({ guards }) => !guards.includes('inTurn'))
    const expected = Object.keys(OTHER_READS).map((path) => `GET ${path}`)
    assert.sameMembers(
      others.map(({ name }) => name),
      expected
    )
  })

  test('take turns in changes and in the own reads of users', ({ assert }) => {
    const opening = ['panel', 'templatePanel', 'internalKey']
    const inTurn = routes().filter(({ guards, isRead }) => {
      const isManagement = guards.some((guard) => opening.includes(guard!))
      return guards.includes('inTurn') && !(isRead && isManagement)
    })
    assert.sameMembers(
      inTurn.map(({ name }) => name),
      [...CHANGES_IN_TURN, ...OWN_READS_IN_TURN]
    )
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

  test('of large tables are refused if an application is no longer visible', async ({ client }) => {
    const [one, other] = [await anApplication(), await anApplication()]
    const email = uniqueEmail()
    for (const { code } of [one, other]) await manageApplication(client, code).administrator(email)
    const work = Promise.withResolvers<void>()
    const searching = inSearchBudget(`user:${email}`, () => work.promise)
    const asked = signedIn(client, email).get(`/api/users?search=a&appCode=${one.code}`)
    await superAdmin(client).get('/api/applications')
    await ApplicationAdmin.query().where({ email, applicationId: one.id }).delete()
    work.resolve()
    await searching
    const response = await asked
    response.assertProblem(403, 'FORBIDDEN')
  })
})
