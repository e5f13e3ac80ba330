import type { ApiClient } from '@japa/api-client'
import { ConciergeProblem } from '@concierge/client'
import { test } from '@japa/runner'
import { aClient } from '#tests/helpers/clients'
import { manageApplication } from '#tests/helpers/management'
import { anApplication, uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { issuer } from '#tests/world/prepare'

/** Three clerks who can see open orders; one of them can refund one order. */
async function anOffice(client: ApiClient) {
  const { code: app } = await anApplication()
  const manage = manageApplication(client, app)
  const orders = await manage.permission({ code: 'orders' })
  const refunds = await manage.permission({ code: 'refunds' })
  const role = await manage.role()
  const condition = 'resource.properties.status == "open"'
  await manage.rolePermissions(role.id, [
    { permissionId: orders.id, accessLevel: 'allowed', condition },
  ])
  const clerks = [uniqueEmail('a'), uniqueEmail('b'), uniqueEmail('c')]
  for (const email of clerks) await manage.userRoles(email, [role.id])
  const [email] = clerks
  await manage.overrides(email, ['order', '7'], [{ permissionId: refunds.id, granted: true }])
  return { app, clerks, email, token: await issuer.token(email) }
}

const OPEN = { attributes: { resource: { status: 'open' } } }

test.group('Searches by the client', () => {
  test('read users page after page', async ({ assert, client }) => {
    const { app, clerks } = await anOffice(client)
    const { concierge, sent } = aClient()
    const found: string[] = []
    const question = { app, permission: 'orders', limit: 1, ...OPEN }
    for await (const { results } of concierge.search.subjects(question)) {
      found.push(...results.map(({ email }) => email))
    }
    assert.includeMembers(found, clerks)
    assert.isAtLeast(sent.length, clerks.length)

    const pending: string[] = []
    for await (const page of concierge.search.subjects({ app, permission: 'orders' })) {
      pending.push(...page.conditional.map(({ email }) => email))
    }
    assert.deepEqual(pending, clerks)
  })

  test('read resources and permissions of a user, and of the owner of the token', async ({
    assert,
    client,
  }) => {
    const { app, email, token } = await anOffice(client)
    const { concierge } = aClient()
    for (const [asking, who] of [
      [concierge, { email }],
      [concierge.as(token), {}],
    ] as const) {
      const refunds = { app, permission: 'refunds', resourceType: 'order', ...who }
      for await (const { everywhere, results } of asking.search.resources(refunds)) {
        assert.isFalse(everywhere)
        assert.deepEqual(
          results.map(({ resourceId }) => resourceId),
          ['7']
        )
      }
      const { results, conditional } = await asking.search.permissions({ app, ...who })
      assert.deepEqual(results, [])
      assert.containSubset(conditional, [{ code: 'orders', source: 'role' }])
      const resource = { type: 'order', id: '7' }
      const onOrder = await asking.search.permissions({ app, resource, ...OPEN, ...who })
      assert.deepEqual(
        onOrder.results.map(({ code }) => code),
        ['orders', 'refunds']
      )
    }
  })

  test('refuse what would ask something else', async ({ assert }) => {
    const { search } = aClient().concierge
    const resource = { type: 'order' } as never
    assert.throws(() => search.subjects({ app: 'shop', permission: 'p', resource }), TypeError)
    await assert.rejects(
      () => search.permissions({ app: 'shop', email: undefined as never }),
      TypeError
    )
  })

  test('throw the problem of an unknown application', async ({ assert }) => {
    const { search } = aClient().concierge
    const pages = search.subjects({ app: uniqueCode(), permission: 'p' })
    await assert.rejects(async () => pages.next(), ConciergeProblem)
  })
})
