import { setTimeout as pause } from 'node:timers/promises'
import { test } from '@japa/runner'
import { usesPostgres } from '#core/database/dialect'
import { inChangeBudget } from '#core/database/large_changes'
import { inSearchBudget } from '#core/database/work_budgets'
import { callerKey, changerOf } from '#core/http/caller_name'
import { inPath, manageApplication, overridesPath } from '#tests/helpers/management'
import { aType } from '#tests/helpers/templates'
import { aSuperAdmin, anApplication, signedIn, uniqueEmail } from '#tests/helpers/people'

/** One more than may be changed beside other large changes of the caller. */
const LARGE = 101
const ids = (count: number) => Array.from({ length: count }, (_, index) => 900_000_000 + index)

test.group('Large changes', () => {
  const nothing = async () => undefined
  const of = (caller: string, application: string | null) => ({ caller, application })

  for (const [name, next] of [
    ['of one caller', of('busy', 'b')],
    ['of one application', of('colleague', 'a')],
  ] as const) {
    test(`${name} leave as much time to others on SQLite`, async ({ assert }) => {
      const order: string[] = []
      await inChangeBudget(of('busy', 'a'), () => pause(300))
      const later = inChangeBudget(next, async () => void order.push('next'))
      await inChangeBudget(of('other', 'c'), async () => void order.push('other'))
      await later
      assert.deepEqual(order, usesPostgres() ? ['next', 'other'] : ['other', 'next'])
    })
  }

  test('of one caller do not make all of an application wait', async ({ assert }) => {
    const order: string[] = []
    const change = (caller: string) => async () => {
      await pause(5)
      order.push(caller)
    }
    const busy = Array.from({ length: 5 }, () => inChangeBudget(of('busy', 'd'), change('busy')))
    await inChangeBudget(of('colleague', 'd'), change('colleague'))
    assert.isBelow(order.length, 4)
    await Promise.all(busy)
  })

  test('that cannot begin free the place of their caller', async ({ assert }) => {
    const { promise: ended, resolve: end } = Promise.withResolvers<undefined>()
    const holding = inChangeBudget(of('holder', 'e'), () => ended)
    await assert.rejects(() => inChangeBudget(of('waiting', 'e'), nothing))
    await inChangeBudget(of('waiting', 'f'), nothing)
    end(undefined)
    await holding
  }).timeout(15_000)
})

test.group('Requests that read or change thousands of rows', () => {
  test('run one at a time per caller', async ({ client, cleanup, assert }) => {
    const application = await anApplication()
    const { code } = application
    const type = await aType(application)
    const manage = manageApplication(client, code)
    const role = await manage.role()
    const entity = await manage.entity()
    const user = uniqueEmail()
    const email = await aSuperAdmin(cleanup)
    const as = signedIn(client, email)
    const busy = { caller: { email } }

    const permissions = (count: number) => ids(count).map((permissionId) => ({ permissionId }))
    const rolePath = `/api/applications/${code}/roles/${role.id}/permissions`
    const requests = (count: number) => [
      as.put(rolePath, {
        permissions: permissions(count).map((one) => ({ ...one, accessLevel: 'edit' })),
      }),
      as.put(overridesPath(user, code, 'doc', '1'), {
        permissions: permissions(count).map((one) => ({ ...one, granted: true })),
      }),
      as.put(`/api/users/${inPath(user)}/apps/${code}/roles`, { roleIds: ids(count) }),
      as.put(`/api/users/${inPath(user)}/apps/${code}/roles`, {
        roles: ids(count).map((roleId) => ({ roleId })),
      }),
      as.put(`/api/applications/${code}/entities/${entity.id}/resources`, {
        resources: ids(count).map((id) => ({ resourceId: `${id}`, label: 'Order' })),
      }),
      as.post(`/api/applications/${code}/entities/${entity.id}/resources/delete`, {
        resourceIds: ids(count).map(String),
      }),
      as.put('/api/profile/me/notifications/preferences/bulk', {
        updates: ids(count).map((notificationTypeId) => ({ notificationTypeId, email: false })),
      }),
    ]
    const deletions = [
      as.delete(`/api/applications/${code}`),
      as.delete(`/api/applications/${code}/entities/${entity.id}?dryRun=true`),
      as.delete(`/api/applications/${code}/roles/${role.id}`),
      as.delete(`/api/applications/${code}/permissions/900000000`),
      as.delete(`/api/admin/notifications/types/${code}/${type.code}`),
      as.delete(`/api/applications/${code}/webhooks/900000000`),
    ]
    const broadcast = { type: 'generic', audience: { kind: 'application' } }
    const broadcasts = `/api/admin/notifications/broadcast/${code}`
    const searches = [
      as.get(`/api/admin/notifications/stats/${code}`),
      as.post(broadcasts, broadcast),
      as.post(`${broadcasts}/preview`, broadcast),
      as.get(`/api/applications/${code}/role-permissions`),
      as.get(`/api/users/${inPath(user)}/apps/${code}/resources`),
    ]

    const refused = await inSearchBudget(callerKey(busy), () =>
      inChangeBudget(changerOf({ ...busy, params: {} }), async () => {
        const [small, large] = await Promise.all([
          Promise.all(requests(LARGE - 1)),
          Promise.all([...requests(LARGE), ...deletions, ...searches]),
        ])
        for (const response of small) assert.notEqual(response.status(), 503)
        return large
      })
    )
    for (const response of refused) {
      assert.equal(response.status(), 503)
      assert.equal(response.body().code, 'OVERLOADED')
      assert.equal(response.header('retry-after'), '5')
    }
  }).timeout(20_000)
})
