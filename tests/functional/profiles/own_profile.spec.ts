import { test } from '@japa/runner'
import User from '#app/profiles/models/user'
import { TIMESTAMP, lifecycleEvent } from '#tests/helpers/management'
import { signedIn, uniqueEmail } from '#tests/helpers/people'
import { profileOf, syncNames, withNames } from '#tests/helpers/profiles'
import { issuer } from '#tests/world/prepare'
import { subjectOf } from '#tests/world/issuer'

const FIELDS = [
  'id',
  'email',
  'firstName',
  'lastName',
  'displayName',
  'avatarUrl',
  'locale',
  'theme',
  'timezone',
  'brand',
  'identityProfileUrl',
  'createdAt',
  'updatedAt',
]

test.group('Own profile', () => {
  test('is created with the defaults on first access', async ({ assert, client }) => {
    const email = uniqueEmail('grace')
    const before = Date.now()
    const response = await signedIn(client, email).get('/api/profile/me')

    response.assertStatus(200)
    assert.sameMembers(Object.keys(response.body()), ['success', 'data'])
    assert.isTrue(response.body().success)
    const profile = response.body().data
    assert.sameMembers(Object.keys(profile), FIELDS)
    const { id, createdAt, updatedAt, ...rest } = profile
    assert.isTrue(Number.isSafeInteger(id))
    assert.deepEqual(rest, {
      email,
      firstName: null,
      lastName: null,
      displayName: email.split('@')[0],
      avatarUrl: null,
      locale: null,
      theme: 'system',
      timezone: null,
      brand: 'default',
      identityProfileUrl: `${issuer.url}/ui/console/users/me`,
    })
    for (const moment of [createdAt, updatedAt]) {
      assert.match(moment, TIMESTAMP)
      assert.isAtLeast(Date.parse(moment), before)
      assert.isAtMost(Date.parse(moment), Date.now())
    }
  })

  test('gets its names from the first token', async ({ assert, client }) => {
    const email = uniqueEmail()
    const names = { given_name: 'Grace', family_name: 'Hopper', name: 'Amazing Grace' }
    const response = await withNames(client, email, names).get('/api/profile/me')
    assert.containSubset(response.body().data, {
      firstName: 'Grace',
      lastName: 'Hopper',
      displayName: 'Amazing Grace',
    })
  })

  test('falls back to first and last name without a display name', async ({ assert, client }) => {
    for (const [names, displayName] of [
      [{ given_name: 'Grace', family_name: 'Hopper' }, 'Grace Hopper'],
      [{ given_name: 'Grace' }, 'Grace'],
      [{ family_name: 'Hopper' }, 'Hopper'],
    ] as const) {
      const response = await withNames(client, uniqueEmail(), names).get('/api/profile/me')
      assert.equal(response.body().data.displayName, displayName)
    }
  })

  test('ignores unusable name claims', async ({ assert, client }) => {
    for (const name of [
      '',
      '   ',
      5,
      null,
      ['Grace'],
      { a: 1 },
      'a\u0000b',
      '\ud800',
      'x'.repeat(300),
    ]) {
      const claims = { given_name: name, family_name: name, name }
      const response = await signedIn(client, uniqueEmail(), { claims }).get('/api/profile/me')
      response.assertStatus(200)
      const { firstName, lastName } = response.body().data
      assert.deepEqual([firstName, lastName], [null, null])
    }
  })

  test('is the same for all spellings of the address', async ({ assert, client }) => {
    const email = uniqueEmail()
    const first = await profileOf(client, email)
    for (const writing of [email.toUpperCase(), ` ${email} `]) {
      const response = await signedIn(client, writing).get('/api/profile/me')
      assert.equal(response.body().data.id, first.id)
      assert.equal(response.body().data.email, email)
    }
  })

  test('is created once by 30 concurrent first requests', async ({ assert, client }) => {
    const email = uniqueEmail()
    const names = { given_name: 'Grace', family_name: 'Hopper' }
    const person = withNames(client, email, names)
    const responses = await Promise.all(
      Array.from({ length: 30 }, () => person.get('/api/profile/me'))
    )
    for (const response of responses) {
      response.assertStatus(200)
      assert.equal(response.body().data.firstName, 'Grace')
    }
    assert.lengthOf(new Set(responses.map((response) => response.body().data.id)), 1)
    assert.lengthOf(await User.query().where({ email }), 1)
  })

  test('is created once by concurrent requests of different kinds', async ({ assert, client }) => {
    const email = uniqueEmail()
    await Promise.all(
      Array.from({ length: 10 }, async (_, index) => {
        if (index % 3 === 0) return signedIn(client, email).get('/api/profile/me')
        if (index % 3 === 1) return syncNames(client, { email, firstName: 'Grace' })
        return lifecycleEvent(client, 'user.created', email)
      })
    )
    assert.lengthOf(await User.query().where({ email }), 1)
    assert.equal((await profileOf(client, email)).firstName, 'Grace')
  })

  test('does not change when read again', async ({ assert, client }) => {
    const email = uniqueEmail()
    const person = withNames(client, email, { given_name: 'Grace' })
    const first = await person.get('/api/profile/me')
    const second = await person.get('/api/profile/me')
    assert.deepEqual(second.body(), first.body())
  })

  test('stores the ids of the identity provider', async ({ assert, client }) => {
    const email = uniqueEmail()
    const organisation = { 'urn:zitadel:iam:user:resourceowner:id': '300000000000000001' }
    await signedIn(client, email, { claims: organisation }).get('/api/profile/me')
    // A token without an organisation removes nothing.
    await signedIn(client, email).get('/api/profile/me')

    const user = await User.withEmail(email)
    assert.equal(user.idpUserId, subjectOf(email))
    assert.equal(user.idpOrgId, '300000000000000001')
  })

  test('ignores an organisation that cannot be stored', async ({ assert, client }) => {
    for (const id of ['x'.repeat(256), 'a\u0000b', '\ud800']) {
      const email = uniqueEmail()
      const claims = { 'urn:zitadel:iam:user:resourceowner:id': id }
      const response = await signedIn(client, email, { claims }).get('/api/profile/me')
      response.assertStatus(200)
      assert.isNull((await User.withEmail(email)).idpOrgId)
    }
  })

  test('is readable for a deactivated user', async ({ assert, client }) => {
    const email = uniqueEmail()
    await lifecycleEvent(client, 'user.deactivated', email)
    const response = await signedIn(client, email).get('/api/profile/me')
    response.assertStatus(200)
    assert.equal(response.body().data.email, email)
    assert.isFalse((await User.withEmail(email)).active)
  })

  test('requires a token', async ({ client }) => {
    const response = await client.get('/api/profile/me')
    response.assertProblem(401, 'UNAUTHENTICATED')
  })
})
