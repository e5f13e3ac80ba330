import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import User from '#app/profiles/models/user'
import { signedIn, superAdmin, uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { minutesFromNow, webhook } from '#tests/helpers/profiles'
import { createProviderUser, postProviderEvent, uniqueId } from '#tests/helpers/provider_events'

const isActive = async (email: string) => (await User.withEmail(email)).active
const claimsOf = (sub: string) => ({ claims: { sub } })
const added = (email: string) => ({ email, firstName: 'Ada', lastName: 'King' })

async function handled(client: ApiClient, event: Parameters<typeof webhook>[1]) {
  const response = await webhook(client, event)
  response.assertStatus(200)
  return response.body().data.handled as boolean
}

test.group('An event that is sent again', () => {
  test('does not reactivate a user who was deactivated later', async ({ assert, client }) => {
    const user = { email: uniqueEmail() }
    const [first, second, third, fourth] = [-30, -20, -10, -5].map((one) => minutesFromNow(one).iso)
    await handled(client, { eventType: 'user.deactivated', occurredAt: first, user })
    const reactivation = { eventType: 'user.reactivated', occurredAt: second, user }
    await handled(client, reactivation)
    assert.isTrue(await isActive(user.email))
    await handled(client, { eventType: 'user.deactivated', occurredAt: third, user })
    const before = (await User.withEmail(user.email)).$attributes
    await handled(client, reactivation)
    await handled(client, { eventType: 'user.reactivated', occurredAt: third, user })
    assert.deepEqual((await User.withEmail(user.email)).$attributes, before)
    await handled(client, { eventType: 'user.reactivated', occurredAt: fourth, user })
    assert.isTrue(await isActive(user.email))
  })

  test('does not reactivate a user after a deactivation without a time', async ({
    assert,
    client,
  }) => {
    const user = { email: uniqueEmail() }
    const occurredAt = minutesFromNow(-5).iso
    await handled(client, { eventType: 'user.reactivated', occurredAt, user })
    await handled(client, { eventType: 'user.deactivated', user })
    await handled(client, { eventType: 'user.reactivated', occurredAt, user })
    assert.isFalse(await isActive(user.email))
  })

  test('is recognised by its id, also without a time', async ({ assert, client }) => {
    const user = { email: uniqueEmail() }
    const reactivation = { eventType: 'user.reactivated', eventId: uniqueCode('event'), user }
    await handled(client, reactivation)
    await handled(client, { eventType: 'user.deactivated', eventId: uniqueCode('event'), user })
    assert.isTrue(await handled(client, reactivation))
    assert.isFalse(await isActive(user.email))
    const another = { ...reactivation, eventId: uniqueCode('event') }
    await handled(client, another)
    assert.isTrue(await isActive(user.email))
  })

  test('with the same id takes effect once, even twenty times concurrently', async ({
    assert,
    client,
  }) => {
    const user = { email: uniqueEmail() }
    await handled(client, { eventType: 'user.deactivated', user })
    const event = { eventType: 'user.reactivated', eventId: uniqueCode('event'), user }
    await Promise.all(Array.from({ length: 20 }, () => handled(client, event)))
    assert.isTrue(await isActive(user.email))
  })

  test('from the future does not block later ones', async ({ assert, client }) => {
    const user = { email: uniqueEmail() }
    const occurredAt = '2199-01-01T00:00:00Z'
    await handled(client, { eventType: 'user.reactivated', occurredAt, user })
    await handled(client, { eventType: 'user.deactivated', user })
    assert.isFalse(await isActive(user.email))
  })

  test('does not bring back names, or an account that was removed', async ({ assert, client }) => {
    const user = { id: uniqueId(), email: uniqueEmail(), firstName: 'Old' }
    const creation = { eventType: 'user.created', occurredAt: minutesFromNow(-20).iso, user }
    await handled(client, creation)
    const removal = { eventType: 'user.removed', occurredAt: minutesFromNow(-10).iso, user }
    await handled(client, removal)
    const before = (await User.withEmail(user.email)).$attributes
    for (const eventType of ['user.created', 'user.updated', 'user.reactivated']) {
      await handled(client, { ...creation, eventType, user: { ...user, firstName: 'New' } })
      await handled(client, { eventType, user: { ...user, firstName: 'New' } })
    }
    assert.deepEqual((await User.withEmail(user.email)).$attributes, before)
    assert.deepInclude(before, { active: false, idpUserId: null })
  })
})

test.group('A removed account', () => {
  test('releases its record to the next account, which is inactive until it is reactivated', async ({
    assert,
    client,
  }) => {
    const email = uniqueEmail()
    const [first, second] = [uniqueId(), uniqueId()]
    await signedIn(client, email, claimsOf(first)).get('/api/profile/me')
    await handled(client, { eventType: 'user.removed', user: { id: first, email } })
    assert.isNull((await User.withEmail(email)).idpUserId)

    // Its last token neither gives access nor takes the record back.
    const former = await signedIn(client, email, claimsOf(first)).get('/api/profile/me/apps')
    former.assertProblem(403, 'USER_INACTIVE')
    assert.isNull((await User.withEmail(email)).idpUserId)

    const person = signedIn(client, email, claimsOf(second))
    const profile = await person.get('/api/profile/me')
    profile.assertStatus(200)
    const refused = await person.get('/api/profile/me/apps')
    refused.assertProblem(403, 'USER_INACTIVE')
    assert.deepInclude((await User.withEmail(email)).$attributes, {
      active: false,
      idpUserId: second,
    })
    const late = await signedIn(client, email, claimsOf(first)).get('/api/profile/me')
    late.assertProblem(403, 'IDENTITY_CONFLICT')

    await handled(client, { eventType: 'user.reactivated', user: { id: second, email } })
    const admitted = await person.get('/api/profile/me/apps')
    admitted.assertStatus(200)
  })

  test('is removed by the provider with the same effect', async ({ assert, client }) => {
    const [email, first, second] = [uniqueEmail(), createProviderUser(), createProviderUser()]
    await first.report('user.human.added', added(email))
    await signedIn(client, email, claimsOf(first.id)).get('/api/profile/me')
    assert.isTrue(await first.report('user.removed'))
    assert.deepInclude((await User.withEmail(email)).$attributes, {
      active: false,
      idpUserId: null,
      idpOrgId: null,
    })
    assert.isTrue(await second.report('user.human.added', added(email)))
    const inactive = await signedIn(client, email, claimsOf(second.id)).get('/api/profile/me/apps')
    inactive.assertProblem(403, 'USER_INACTIVE')
    assert.deepInclude((await User.withEmail(email)).$attributes, {
      active: false,
      idpUserId: second.id,
    })
    // Earlier events of the first account are outdated, and its token is useless.
    await first.report('user.human.profile.changed', { firstName: 'Late' })
    await first.report('user.reactivated')
    const late = await signedIn(client, email, claimsOf(first.id)).get('/api/profile/me')
    late.assertProblem(403, 'IDENTITY_CONFLICT')
    assert.deepInclude((await User.withEmail(email)).$attributes, {
      active: false,
      firstName: 'Ada',
      idpUserId: second.id,
    })
    const reactivation = second.next('user.reactivated')
    await postProviderEvent({ ...reactivation, created_at: new Date().toISOString() })
    assert.isTrue(await isActive(email))
  })

  test('does not get the record back after its next holder was reactivated', async ({
    assert,
    client,
  }) => {
    const [email, first] = [uniqueEmail(), createProviderUser()]
    await first.report('user.human.added', added(email))
    await signedIn(client, email, claimsOf(first.id)).get('/api/profile/me')
    await first.report('user.removed')
    await handled(client, { eventType: 'user.reactivated', user: { email } })
    const late = await signedIn(client, email, claimsOf(first.id)).get('/api/profile/me')
    late.assertProblem(403, 'IDENTITY_CONFLICT')
    const next = await signedIn(client, email, claimsOf(uniqueId())).get('/api/profile/me/apps')
    next.assertStatus(200)
    assert.isTrue(await isActive(email))
  })

  test('is not changed by an event that names it', async ({ assert, client }) => {
    const email = uniqueEmail()
    await signedIn(client, email).get('/api/profile/me')
    const user = { id: uniqueId(), email }
    assert.isFalse(await handled(client, { eventType: 'user.removed', user }))
    assert.isTrue(await isActive(email))
    assert.isNotNull((await User.withEmail(email)).idpUserId)
  })

  test('removed by address can return when the address is reactivated', async ({
    assert,
    client,
  }) => {
    const person = signedIn(client, uniqueEmail())
    const user = { email: person.email }
    await person.get('/api/profile/me')
    for (const eventType of ['user.deactivated', 'user.removed', 'user.reactivated']) {
      await handled(client, { eventType, user })
    }
    const response = await person.get('/api/profile/me/apps')
    response.assertStatus(200)
    assert.isTrue(await isActive(person.email))
  })
})

test.group('An account that the provider deactivated before its first contact', () => {
  test('is inactive from its first contact on', async ({ assert, client }) => {
    const [email, person] = [uniqueEmail(), createProviderUser()]
    assert.isFalse(await person.report('user.deactivated'))
    const own = signedIn(client, email, claimsOf(person.id))
    const response = await own.get('/api/profile/me/apps')
    response.assertProblem(403, 'USER_INACTIVE')
    assert.isFalse(await isActive(email))
    assert.isTrue(await person.report('user.reactivated'))
    const after = await own.get('/api/profile/me/apps')
    after.assertStatus(200)
  })
})

test.group('A record that a super admin assigns to another account', () => {
  const identityOf = (email: string) => `/api/users/${encodeURIComponent(email)}/identity`

  test('is immediately available to that account and closed to the other', async ({
    assert,
    client,
  }) => {
    const email = uniqueEmail()
    const [first, second] = [uniqueId(), uniqueId()]
    const me = (sub: string) => signedIn(client, email, claimsOf(sub)).get('/api/profile/me')
    const before = await me(first)
    before.assertStatus(200)
    const response = await superAdmin(client).put(identityOf(email), { idpUserId: second })
    response.assertStatus(200)
    assert.containSubset(response.body(), {
      success: true,
      data: { email, active: true, idpUserId: second, idpOrgId: null, applications: [] },
    })
    const former = await me(first)
    former.assertProblem(403, 'IDENTITY_CONFLICT')
    const owner = await me(second)
    owner.assertStatus(200)
  })

  test('is not affected by events of the previous account', async ({ assert, client }) => {
    const [email, person] = [uniqueEmail(), createProviderUser()]
    await person.report('user.human.added', added(email))
    await signedIn(client, email, claimsOf(person.id)).get('/api/profile/me')
    await superAdmin(client).put(identityOf(email), { idpUserId: null })
    assert.isFalse(await person.report('user.human.profile.changed', { firstName: 'Late' }))
    const user = { id: person.id, email }
    assert.isFalse(await handled(client, { eventType: 'user.updated', user }))
    assert.deepInclude((await User.withEmail(email)).$attributes, {
      idpUserId: null,
      firstName: 'Ada',
    })
  })

  test('or releases is bound to the next verified account', async ({ assert, client }) => {
    const email = uniqueEmail()
    const second = uniqueId()
    await signedIn(client, email).get('/api/profile/me')
    const response = await superAdmin(client).put(identityOf(email), { idpUserId: null })
    assert.isNull(response.body().data.idpUserId)
    const next = await signedIn(client, email, claimsOf(second)).get('/api/profile/me/apps')
    next.assertStatus(200)
    assert.equal((await User.withEmail(email)).idpUserId, second)
  })

  test('must exist, and the account must be specified', async ({ client }) => {
    const admin = superAdmin(client)
    const unknown = await admin.put(identityOf(uniqueEmail()), { idpUserId: null })
    unknown.assertProblem(404, 'USER_NOT_FOUND')
    const { email } = signedIn(client, uniqueEmail())
    await signedIn(client, email).get('/api/profile/me')
    for (const idpUserId of [undefined, '', 5, 'x'.repeat(256), 'a\u0001b', 'ž', ['1'], {}]) {
      const response = await admin.put(identityOf(email), { idpUserId })
      response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'idpUserId' }] })
    }
  })
})
