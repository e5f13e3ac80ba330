import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import { decisions } from '#app/checks/decisions'
import { CACHE_CAPACITY, MAX_DECISIONS_PER_USER } from '#app/checks/resolvers/judgement_store'
import Permission from '#app/permissions/models/permission'
import { recordStatements } from '#tests/helpers/count_statements'
import { anApplication, signedIn, uniqueCode, uniqueEmail } from '#tests/helpers/people'

const PERMISSIONS = 100

async function aLargeApplication() {
  const { id, code: app } = await anApplication()
  const codes = Array.from({ length: PERMISSIONS }, (_, index) => `p${index}`)
  await Permission.createMany(
    codes.map((code) => ({ applicationId: id, code, type: 'binary' as const, global: false }))
  )
  return { app, codes }
}

/** Someone with a cached decision, and the queries that the next check needs. */
async function aVictim(client: ApiClient, app: string) {
  const question = { email: uniqueEmail('victim'), app, permission: 'p0' }
  const ask = async () => void (await client.post('/api/check').json(question))
  await ask()
  return { statementsOfCheck: () => recordStatements(ask) }
}

/** Checks by users themselves, and by servers in the private network. */
function waysToAsk(client: ApiClient) {
  const email = uniqueEmail('attacker')
  const own = signedIn(client, email)
  return {
    own: (body: object) => own.post('/api/profile/me/check/bulk', body),
    network: async (body: object) => client.post('/api/check/bulk').json({ email, ...body }),
  }
}

test.group('Decision cache', (group) => {
  group.each.setup(() => decisions.clear())

  for (const way of ['own', 'network'] as const) {
    test(`unknown permissions and applications are not cached by ${way} checks`, async ({
      client,
      assert,
    }) => {
      const { app } = await aLargeApplication()
      const ask = waysToAsk(client)[way]
      for (const asked of [app, uniqueCode('no-such-application')]) {
        const permissions = Array.from({ length: 500 }, (_, index) => `made-up-${index}`)
        const response = await ask({ app: asked, permissions })
        response.assertStatus(200)
        assert.lengthOf(Object.keys(response.body().data ?? response.body()), 500)
      }
      assert.equal(decisions.size, 0)
    })

    test(`${way} checks of one user never evict others`, async ({ client, assert }) => {
      const { app, codes } = await aLargeApplication()
      const { statementsOfCheck } = await aVictim(client, app)
      const ask = waysToAsk(client)[way]
      for (let order = 0; order * PERMISSIONS < 1.2 * CACHE_CAPACITY; order++) {
        const resource = { resourceType: 'order', resourceId: String(order) }
        await ask({ app, permissions: codes, ...resource })
      }
      assert.equal(decisions.size, MAX_DECISIONS_PER_USER + 1)
      assert.lengthOf(await statementsOfCheck(), 0)
    })
  }

  test('500 unknown permissions cost one query each time', async ({ client, assert }) => {
    const { app } = await aLargeApplication()
    const ask = waysToAsk(client).network
    const permissions = Array.from({ length: 500 }, (_, index) => `made-up-${index}`)
    assert.lengthOf(await recordStatements(() => ask({ app, permissions })), 1)
    assert.lengthOf(await recordStatements(() => ask({ app, permissions })), 1)
  })
})
