import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import SuperAdmin from '#app/permissions/models/super_admin'
import User from '#app/profiles/models/user'
import { pathOf, aBroadcast } from '#tests/helpers/broadcasts'
import { eventually } from '#tests/helpers/eventually'
import { anApplication, signedIn, superAdmin, uniqueEmail } from '#tests/helpers/people'
import { webhook } from '#tests/helpers/profiles'
import { uniqueId } from '#tests/helpers/provider_events'
import { TOKEN_ROUTES, askWithToken } from '#tests/helpers/token_routes'
import { serviceUrl } from '#tests/helpers/clients'
import { SUPER_ADMIN, issuer } from '#tests/world/prepare'

const ORGANISATION = 'urn:zitadel:iam:user:resourceowner:id'

/** The same address, proven by another account at the provider. */
const impostor = (email: string, claims: Record<string, unknown> = {}) =>
  issuer.token(email, { claims: { sub: uniqueId(), [ORGANISATION]: 'another-org', ...claims } })

/** A person whose first contact has bound their record to their account. */
async function aBoundPerson(client: ApiClient, email = uniqueEmail()) {
  const person = signedIn(client, email)
  const response = await person.get('/api/profile/me')
  response.assertStatus(200)
  return person
}

test.group('A token of another account with the same address', () => {
  test('is refused on {$self}, whoever the address belongs to')
    .with(TOKEN_ROUTES)
    .run(async ({ client }, route) => {
      await superAdmin(client).get('/api/profile/me')
      const response = await askWithToken(client, route, await impostor(SUPER_ADMIN))
      response.assertProblem(403, 'IDENTITY_CONFLICT')
    })

  test('changes nothing', async ({ assert, client }) => {
    const { email } = await aBoundPerson(client)
    const before = (await User.withEmail(email)).$attributes
    const token = await impostor(email, { name: 'Mallory', given_name: 'Mallory' })
    for (const route of ['GET /api/profile/me', 'PUT /api/profile/me']) {
      const response = await askWithToken(client, route, token)
      response.assertProblem(403, 'IDENTITY_CONFLICT')
    }
    assert.deepEqual((await User.withEmail(email)).$attributes, before)
  })

  test('cannot come first by asking for checks: whatever is asked first binds', async ({
    assert,
    client,
  }) => {
    const email = uniqueEmail()
    const question = { app: 'auth', permission: 'anything' }
    const first = await signedIn(client, email).post('/api/profile/me/check', question)
    first.assertStatus(200)
    const response = await askWithToken(client, 'GET /api/profile/me', await impostor(email))
    response.assertProblem(403, 'IDENTITY_CONFLICT')
    assert.isNotNull((await User.withEmail(email)).idpUserId)
  })

  test('does not get rights that were assigned before anybody came', async ({ client }) => {
    const email = uniqueEmail()
    await SuperAdmin.create({ email })
    const owner = signedIn(client, email)
    const mine = await owner.get('/api/users/admins')
    mine.assertStatus(200)
    const response = await askWithToken(client, 'GET /api/users/admins', await impostor(email))
    response.assertProblem(403, 'IDENTITY_CONFLICT')
    await SuperAdmin.query().where({ email }).delete()
  })

  test('of twenty accounts that come first at once, exactly one gets the record', async ({
    assert,
    client,
  }) => {
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

  test('is refused again once the bound account was asked about from memory', async ({
    client,
  }) => {
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

test.group('Streams of somebody whose account was released', () => {
  test('end', async ({ assert, client, cleanup }) => {
    const application = await anApplication()
    const email = uniqueEmail()
    await SuperAdmin.create({ email })
    const { id } = await aBroadcast(application, { scheduledAt: '2099-01-01T00:00:00Z' })
    const headers = { authorization: `Bearer ${await issuer.token(email)}` }
    const closing = new AbortController()
    cleanup(() => closing.abort())
    const url = `${serviceUrl()}${pathOf(application, `${id}/stream`)}`
    const response = await fetch(url, { headers, signal: closing.signal })
    assert.equal(response.status, 200)
    let isOver = false
    const reading = response.text().finally(() => (isOver = true))
    reading.catch(() => {})
    const path = `/api/users/${encodeURIComponent(email)}/identity`
    const rebound = await superAdmin(client).put(path, { idpUserId: uniqueId() })
    rebound.assertStatus(200)
    await eventually('the stream has ended', () => isOver, 20_000)
    await SuperAdmin.query().where({ email }).delete()
  })
})
