import router from '@adonisjs/core/services/router'
import { test } from '@japa/runner'

/** Lists that are not paged, and changes that return them. */
const WHOLE_LISTS = [
  'GET /api/admin/notifications/templates/:appCode',
  'GET /api/admin/notifications/templates/:id/locales',
  'GET /api/admin/notifications/types/:appCode',
  'GET /api/admin/notifications/types/:appCode/:type/samples',
  'GET /api/admin/notifications/types/:appCode/:type/templates',
  'GET /api/applications/:appCode/entities',
  'GET /api/applications/:appCode/i18n/:locale',
  'GET /api/applications/:appCode/instances',
  'GET /api/applications/:appCode/permissions',
  'GET /api/applications/:appCode/policy',
  'GET /api/applications/:appCode/role-permissions',
  'GET /api/applications/:appCode/roles',
  'GET /api/applications/:appCode/roles/:roleId/permissions',
  'GET /api/internal/notifications/templates/:appCode',
  'GET /api/internal/notifications/templates/:id/locales',
  'GET /api/internal/notifications/types',
  'GET /api/internal/notifications/types/:appCode/:type/templates',
  'GET /api/profile/me/notifications/:appCode',
  'PATCH /api/applications/:appCode/role-permissions',
]

test.group('Whole lists of an application', () => {
  test('are read in turn', ({ assert }) => {
    const inTurn = Object.values(router.toJSON())
      .flat()
      .filter(({ middleware }) =>
        [...middleware.all()].some((guard) => 'name' in guard && guard.name === 'inTurn')
      )
      .map(({ methods, pattern }) => `${methods[0]} ${pattern}`)
    assert.sameMembers(inTurn, WHOLE_LISTS)
  })
})
