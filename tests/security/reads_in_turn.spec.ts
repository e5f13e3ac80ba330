import router from '@adonisjs/core/services/router'
import { test } from '@japa/runner'

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
