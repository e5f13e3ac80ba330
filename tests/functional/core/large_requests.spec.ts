import { once } from 'node:events'
import { get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { test } from '@japa/runner'
import app from '@adonisjs/core/services/app'
import { usesPostgres } from '#core/database/dialect'
import { inChangeBudget } from '#core/database/large_changes'
import { inSearchBudget } from '#core/database/work_budgets'
import { callerKey, changerOf } from '#core/http/caller_name'
import { uniqueEmails } from '#tests/helpers/broadcasts'
import { recordStatements } from '#tests/helpers/count_statements'
import { inPath, manageApplication, overridesPath } from '#tests/helpers/management'
import { aType } from '#tests/helpers/templates'
import {
  aSuperAdmin,
  anApplication,
  signedIn,
  uniqueCode,
  uniqueEmail,
} from '#tests/helpers/people'
import { issuer } from '#tests/world/prepare'

/** One more than may be changed beside other large changes of the caller. */
const LARGE = 101
const searchesIn = (statements: string[]) => statements.filter((text) => / like /.test(text))
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

    const broadcasts = `/api/admin/notifications/broadcast/${code}`
    const list = (count: number) => ({ kind: 'emails', emails: uniqueEmails(count) })
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
      as.post(broadcasts, { type: 'unknown', audience: list(count) }),
    ]
    const deletions = () => [
      as.delete(`/api/applications/${code}`),
      as.delete(`/api/applications/${code}/entities/${entity.id}?dryRun=true`),
      as.delete(`/api/applications/${code}/roles/${role.id}`),
      as.delete(`/api/applications/${code}/permissions/900000000`),
      as.delete(`/api/admin/notifications/types/${code}/${type.code}`),
      as.delete(`/api/applications/${code}/webhooks/900000000`),
    ]
    const changes = () => [as.put(`${broadcasts}/900000000`, { audience: list(1) })]
    const broadcast = { type: 'generic', audience: { kind: 'application' } }
    const searches = () => [
      as.get(`/api/admin/notifications/stats/${code}`),
      as.post(broadcasts, broadcast),
      as.post(`${broadcasts}/preview`, broadcast),
      as.get(`/api/applications/${code}/role-permissions`),
      as.get(`/api/users/${inPath(user)}/apps/${code}/resources`),
    ]

    const refused = await inSearchBudget(callerKey(busy), () =>
      inChangeBudget(changerOf({ ...busy, params: {} }), async () => {
        // Sent together, those that return lists could wait behind large ones for their turn.
        const small = await Promise.all(requests(LARGE - 1))
        for (const response of small) assert.notEqual(response.status(), 503)
        return Promise.all([...requests(LARGE), ...deletions(), ...changes(), ...searches()])
      })
    )
    for (const response of refused) {
      assert.equal(response.status(), 503)
      assert.equal(response.body().code, 'OVERLOADED')
      assert.equal(response.header('retry-after'), '5')
    }
  }).timeout(40_000)

  test('do not run if their client has left', async ({ assert, client, cleanup }) => {
    const email = await aSuperAdmin(cleanup)
    const authorization = `Bearer ${await issuer.token(email)}`
    const path = `/api/users?search=${uniqueCode('left')}`
    const server = (await app.container.make('server')).getNodeServer()!
    const statements = await recordStatements(async () => {
      await inSearchBudget(callerKey({ caller: { email } }), async () => {
        const arrived = once(server, 'request')
        const request = get(`${process.env.APP_URL}${path}`, { headers: { authorization } })
        const left = once(request, 'error')
        const [, response] = await arrived
        request.destroy()
        await Promise.all([left, once(response, 'close')])
      })
      const found = await signedIn(client, email).get(path)
      found.assertStatus(200)
    })
    const others = await recordStatements(() => signedIn(client, email).get(path))
    assert.deepEqual(searchesIn(statements), searchesIn(others))
  })
})
