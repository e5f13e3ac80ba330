import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import User from '#app/profiles/models/user'
import { anOpenStream } from '#tests/helpers/broadcasts'
import {
  aSuperAdmin,
  anApplication,
  signedIn,
  superAdmin,
  uniqueEmail,
} from '#tests/helpers/people'
import { webhook } from '#tests/helpers/profiles'
import { uniqueId } from '#tests/helpers/provider_events'
import { TOKEN_ROUTES, askWithToken } from '#tests/access/token_routes'
import { SUPER_ADMIN, issuer } from '#tests/world/prepare'

const ORGANISATION = 'urn:zitadel:iam:user:resourceowner:id'

/** The same address, verified by another account at the provider. */
const impostor = (email: string, claims: Record<string, unknown> = {}) =>
  issuer.token(email, { claims: { sub: uniqueId(), [ORGANISATION]: 'another-org', ...claims } })

/** Expects the route to refuse a token of another account with the address. */
async function assertRefused(client: ApiClient, route: string, email: string, claims?: object) {
  const response = await askWithToken(client, route, await impostor(email, { ...claims }))
  response.assertProblem(403, 'IDENTITY_CONFLICT')
}

/** A user whose record is bound to their account. */
async function aBoundPerson(client: ApiClient, email = uniqueEmail()) {
  const person = signedIn(client, email)
  const response = await person.get('/api/profile/me')
  response.assertStatus(200)
  return person
}

test.group('A token of another account with the same address', () => {
  test('is refused on {$self}, even if the address is that of a super admin')
    .with(TOKEN_ROUTES)
    .run(async ({ client }, route) => {
      await superAdmin(client).get('/api/profile/me')
      await assertRefused(client, route, SUPER_ADMIN)
    })

  test('changes nothing', async ({ assert, client }) => {
    const { email } = await aBoundPerson(client)
    const before = (await User.withEmail(email)).$attributes
    const claims = { name: 'Mallory', given_name: 'Mallory' }
    await assertRefused(client, 'GET /api/profile/me', email, claims)
    await assertRefused(client, 'PUT /api/profile/me', email, claims)
    assert.deepEqual((await User.withEmail(email)).$attributes, before)
  })

  test('cannot bypass the binding by running checks first', async ({ assert, client }) => {
    const email = uniqueEmail()
    const question = { app: 'auth', permission: 'anything' }
    const first = await signedIn(client, email).post('/api/profile/me/check', question)
    first.assertStatus(200)
    await assertRefused(client, 'GET /api/profile/me', email)
    assert.isNotNull((await User.withEmail(email)).idpUserId)
  })

  test('does not get permissions that were assigned before the first sign-in', async ({
    client,
    cleanup,
  }) => {
    const email = await aSuperAdmin(cleanup)
    const mine = await signedIn(client, email).get('/api/users/admins')
    mine.assertStatus(200)
    await assertRefused(client, 'GET /api/users/admins', email)
  })

  test('exactly one of twenty concurrent accounts gets the record', async ({ assert, client }) => {
    const email = uniqueEmail()
    const tokens = await Promise.all(Array.from({ length: 20 }, () => impostor(email)))
    const responses = await Promise.all(
      tokens.map((token, index) => {
        const route = index % 2 ? 'GET /api/profile/me' : 'POST /api/profile/me/check/effective'
        return askWithToken(client, route, token)
      })
    )
    const statuses = responses.map((response) => response.status()).sort()
    assert.deepEqual(statuses, [200, ...Array.from({ length: 19 }, () => 403)])
    assert.lengthOf(await User.query().where({ email }), 1)
  })

  test('is refused even after the bound account was read from the cache', async ({ client }) => {
    const person = await aBoundPerson(client)
    const token = await impostor(person.email)
    for (let time = 0; time < 3; time++) {
      const own = await person.post('/api/profile/me/check', { app: 'auth', permission: 'x' })
      own.assertStatus(200)
      const response = await askWithToken(client, 'POST /api/profile/me/check', token)
      response.assertProblem(403, 'IDENTITY_CONFLICT')
    }
  })
})

test.group('Events about another account with the same address', () => {
  for (const eventType of [
    'user.created',
    'user.updated',
    'user.deactivated',
    'user.reactivated',
    'user.removed',
  ]) {
    test(`${eventType} changes nothing and is not handled`, async ({ assert, client }) => {
      const { email } = await aBoundPerson(client)
      const before = (await User.withEmail(email)).$attributes
      const user = { id: uniqueId(), email, firstName: 'Mallory', lastName: 'M' }
      const response = await webhook(client, { eventType, user })
      assert.deepEqual(response.body(), { success: true, data: { handled: false } })
      assert.deepEqual((await User.withEmail(email)).$attributes, before)
    })
  }

  test('of another organisation change nothing and are not handled', async ({ assert, client }) => {
    const email = uniqueEmail()
    await signedIn(client, email, { claims: { [ORGANISATION]: 'org-1' } }).get('/api/profile/me')
    for (const eventType of ['user.updated', 'user.deactivated', 'user.removed']) {
      const user = { email, firstName: 'Mallory' }
      const response = await webhook(client, { eventType, orgId: 'org-2', user })
      assert.deepEqual(response.body(), { success: true, data: { handled: false } })
    }
    const { active, firstName } = await User.withEmail(email)
    assert.deepEqual([active, firstName], [true, null])
  })
})

test.group('Open streams of an account that loses its record', () => {
  test('are closed', async ({ client, cleanup }) => {
    const application = await anApplication()
    const email = await aSuperAdmin(cleanup)
    const stream = await anOpenStream(application, email, cleanup)
    const path = `/api/users/${encodeURIComponent(email)}/identity`
    const rebound = await superAdmin(client).put(path, { idpUserId: uniqueId() })
    rebound.assertStatus(200)
    await stream.ended()
  })
})
