import { ConciergeProblem, type OwnCheckQuestion, createConcierge } from '@concierge/client'
import { test } from '@japa/runner'
import { aClient } from '#tests/helpers/clients'
import { manageApplication } from '#tests/helpers/management'
import { anApplication, uniqueEmail } from '#tests/helpers/people'
import { TestHttpServer, sendJson } from '#tests/world/http_server'
import { issuer } from '#tests/world/prepare'
import type { ApiClient } from '@japa/api-client'

/** A user with `orders` at `view`, and with `refunds` on one order. */
async function aClerk(client: ApiClient) {
  const { code: app } = await anApplication()
  const email = uniqueEmail('clerk')
  const manage = manageApplication(client, app)
  const orders = await manage.permission({ code: 'orders', type: 'tiered' })
  const refunds = await manage.permission({ code: 'refunds' })
  const role = await manage.role()
  await manage.rolePermissions(role.id, [{ permissionId: orders.id, accessLevel: 'view' }])
  await manage.userRoles(email, [role.id])
  await manage.overrides(email, ['order', '7'], [{ permissionId: refunds.id, granted: true }])
  return { app, email, token: await issuer.token(email), manage, role }
}

test.group('Checks by the client', () => {
  test('name a user by address on the private network', async ({ client, assert }) => {
    const { app, email } = await aClerk(client)
    const { concierge } = aClient()
    assert.isTrue(await concierge.may({ email, app, permission: 'orders' }))
    assert.isFalse(await concierge.may({ email, app, permission: 'orders', level: 'edit' }))
    assert.isFalse(await concierge.may({ email, app, permission: 'refunds' }))
    const resource = { type: 'order', id: '7' }
    assert.isTrue(await concierge.may({ email, app, permission: 'refunds', resource }))
  })

  test('use the token of a user', async ({ client, assert }) => {
    const { app, token } = await aClerk(client)
    const person = aClient().concierge.as(token)
    assert.isTrue(await person.may({ app, permission: 'orders', level: 'view' }))
    assert.isFalse(await person.may({ app, permission: 'refunds' }))
    const resource = { type: 'order', id: '7' }
    assert.isTrue(await person.may({ app, permission: 'refunds', resource }))
  })

  test('about one user share a request when concurrent', async ({ client, assert }) => {
    const { app, token, email } = await aClerk(client)
    const { concierge, sent } = aClient({ token })
    const answers = await Promise.all([
      concierge.may({ app, permission: 'orders' }),
      concierge.may({ app, permission: 'refunds' }),
      concierge.may({ app, permission: 'orders' }),
      concierge.may({ app, permission: '__proto__' }),
      concierge.may({ app, permission: 'refunds', resource: { type: 'order', id: '7' } }),
      concierge.may({ app, permission: 'orders', email }),
    ])
    assert.deepEqual(answers, [true, false, true, false, true, true])
    const paths = sent.map(({ url }) => new URL(url).pathname)
    assert.deepEqual(paths.toSorted(), [
      '/api/check/bulk',
      '/api/profile/me/check/bulk',
      '/api/profile/me/check/bulk',
    ])
  })

  test('are split at the limit of a bulk check', async ({ client, assert }) => {
    const { app, email } = await aClerk(client)
    const { concierge, sent } = aClient()
    const permissions = Array.from({ length: 1_001 }, (_, index) => `p${index}`)
    const asked = [...permissions, 'orders']
    const answers = await Promise.all(
      asked.map((permission) => concierge.may({ email, app, permission }))
    )
    assert.deepEqual(
      answers.flatMap((allowed, index) => (allowed ? [asked[index]] : [])),
      ['orders']
    )
    assert.lengthOf(sent, 3)
  })

  test('are cached only if configured', async ({ client, assert }) => {
    const { app, email, manage } = await aClerk(client)
    const question = { email, app, permission: 'orders' }
    const fresh = aClient().concierge
    const { concierge: keeping, sent } = aClient({ checkCacheMs: 60_000 })
    assert.isTrue(await fresh.may(question))
    assert.isTrue(await keeping.may(question))
    await manage.userRoles(email, [])
    assert.isFalse(await fresh.may(question))
    assert.isTrue(await keeping.may(question))
    assert.lengthOf(sent, 1)
    keeping.forgetChecks()
    assert.isFalse(await keeping.may(question))
  })

  test('never share cached results between users', async ({ client, assert }) => {
    const { app, token } = await aClerk(client)
    const { concierge } = aClient({ checkCacheMs: 60_000 })
    assert.isTrue(await concierge.as(token).may({ app, permission: 'orders' }))
    const stranger = await issuer.token(uniqueEmail())
    assert.isFalse(await concierge.as(stranger).may({ app, permission: 'orders' }))
    assert.isTrue(await concierge.as(token).may({ app, permission: 'orders' }))
  })

  test('reject for all callers after a failure', async ({ assert }) => {
    const { concierge } = aClient({ token: 'garbage', checkCacheMs: 60_000 })
    const answers = await Promise.allSettled([
      concierge.may({ app: 'any', permission: 'one' }),
      concierge.may({ app: 'any', permission: 'two' }),
    ])
    for (const answer of answers) {
      assert.equal(answer.status, 'rejected')
      const { reason } = answer as PromiseRejectedResult
      assert.instanceOf(reason, ConciergeProblem)
      assert.equal(reason.code, 'UNAUTHENTICATED')
      assert.equal(reason.status, 401)
    }
  })

  test('do not cache failures', async ({ client, assert }) => {
    const { app, email } = await aClerk(client)
    let isDown = true
    const { concierge } = aClient({ checkCacheMs: 60_000, retries: 0 })
    const flaky = aClient({
      checkCacheMs: 60_000,
      retries: 0,
      token: () => {
        if (isDown) throw new Error('No token now')
        return issuer.token(email)
      },
    }).concierge
    await assert.rejects(() => flaky.may({ app, permission: 'orders' }), 'No token now')
    isDown = false
    assert.isTrue(await flaky.may({ app, permission: 'orders' }))
    assert.isTrue(await concierge.may({ app, email, permission: 'orders' }))
  })

  test('reject incomplete questions', async ({ client, assert }) => {
    const { app, token } = await aClerk(client)
    const { concierge, sent } = aClient({ token })
    const halves = [
      { email: undefined },
      { email: null },
      { resource: { type: 'order', id: undefined } },
      { resource: { id: '8' } },
      { resource: null },
    ]
    for (const half of halves) {
      const question = { app, permission: 'orders', ...half } as OwnCheckQuestion
      await assert.rejects(() => concierge.may(question), /must (be|have) a/)
    }
    assert.isEmpty(sent)
  })

  test('allow only on an explicit yes', async ({ assert, cleanup }) => {
    const world = await new TestHttpServer((_, response) =>
      sendJson(response, { success: true, data: { orders: 'no', refunds: {}, returns: 1 } })
    ).start()
    cleanup(() => world.stop())
    const concierge = createConcierge({ url: world.url })
    for (const permission of ['orders', 'refunds', 'returns', 'constructor']) {
      const question = { email: 'a@b.io', app: 'shop', permission }
      await assert.rejects(
        () => concierge.may(question),
        `The response has no valid result for ${permission}`
      )
    }
  })
})
