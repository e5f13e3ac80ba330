import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import { decisions } from '#app/checks/decisions'
import { CACHE_CAPACITY, PLACES_PER_PERSON } from '#app/checks/resolvers/decision_store'
import Permission from '#app/permissions/models/permission'
import { statementsOf } from '#tests/helpers/count_statements'
import { anApplication, signedIn, uniqueCode, uniqueEmail } from '#tests/helpers/people'

const PERMISSIONS = 100

/** An application with a hundred permissions. */
async function aLargeApplication() {
  const { id, code: app } = await anApplication()
  const codes = Array.from({ length: PERMISSIONS }, (_, index) => `p${index}`)
  await Permission.createMany(
    codes.map((code) => ({ applicationId: id, code, type: 'binary' as const, global: false }))
  )
  return { app, codes }
}

/** Somebody whose decision is remembered, and the statements that asking for it again costs. */
async function aVictim(client: ApiClient, app: string) {
  const question = { email: uniqueEmail('victim'), app, permission: 'p0' }
  const ask = async () => void (await client.post('/api/check').json(question))
  await ask()
  return { statementsOfCheck: () => statementsOf(ask) }
}

/** How people check themselves, and how servers in the private network check people. */
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
    test(`made-up permissions and applications take no place, asked by ${way} checks`, async ({
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

    test(`questions about one person never push out anybody else, asked by ${way} checks`, async ({
      client,
      assert,
    }) => {
      const { app, codes } = await aLargeApplication()
      const { statementsOfCheck } = await aVictim(client, app)
      const ask = waysToAsk(client)[way]
      for (let order = 0; order * PERMISSIONS < 1.2 * CACHE_CAPACITY; order++) {
        const resource = { resourceType: 'order', resourceId: String(order) }
        await ask({ app, permissions: codes, ...resource })
      }
      assert.equal(decisions.size, PLACES_PER_PERSON + 1)
      assert.lengthOf(await statementsOfCheck(), 0)
    })
  }

  test('500 made-up permissions cost one query, and one again', async ({ client, assert }) => {
    const { app } = await aLargeApplication()
    const ask = waysToAsk(client).network
    const permissions = Array.from({ length: 500 }, (_, index) => `made-up-${index}`)
    assert.lengthOf(await statementsOf(() => ask({ app, permissions })), 1)
    assert.lengthOf(await statementsOf(() => ask({ app, permissions })), 1)
  })
})
