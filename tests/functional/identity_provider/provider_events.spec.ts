import { test } from '@japa/runner'
import User from '#app/profiles/models/user'
import ProviderUser from '#app/identity_provider/models/provider_user'
import { allowed, manageApplication } from '#tests/helpers/management'
import { anApplication, signedIn, superAdmin, uniqueEmail } from '#tests/helpers/people'
import { namesOf, profileOf, syncNames, webhook } from '#tests/helpers/profiles'
import {
  ORGANISATION,
  createProviderUser,
  postProviderEvent,
  uniqueId,
} from '#tests/helpers/provider_events'

const added = (email: string, more: object = {}) => ({
  userName: email,
  firstName: 'Sinéad',
  lastName: "O'Neil",
  displayName: "Sinéad O'Neil",
  preferredLanguage: 'en',
  gender: 1,
  email,
  ...more,
})

const isActive = async (email: string) => (await User.withEmail(email)).active

test.group('Events of the provider: effects', () => {
  test('an added or registered user is recorded with names and ids', async ({ assert, client }) => {
    for (const type of ['user.human.added', 'user.human.selfregistered']) {
      const [email, person] = [uniqueEmail(), createProviderUser()]
      assert.isTrue(await person.report(type, added(email.toUpperCase())))
      const user = await User.withEmail(email)
      assert.deepInclude(user.$attributes, {
        active: true,
        idpUserId: person.id,
        idpOrgId: ORGANISATION,
      })
      assert.deepEqual(await namesOf(client, email), ['Sinéad', "O'Neil", "Sinéad O'Neil"])
    }
  })

  test('deactivations and reactivations affect checks, by the id alone', async ({
    assert,
    client,
  }) => {
    const [email, person] = [uniqueEmail(), createProviderUser()]
    const { code } = await anApplication()
    const manage = manageApplication(client, code)
    const [permission, role] = [await manage.permission(), await manage.role()]
    await manage.rolePermissions(role.id, [{ permissionId: permission.id, accessLevel: 'allowed' }])
    await manage.userRoles(email, [role.id])
    const check = { email, app: code, permission: permission.code }
    await person.report('user.human.added', added(email))
    assert.isTrue(await allowed(client, check))
    for (const [type, expected] of [
      ['user.deactivated', false],
      ['user.reactivated', true],
      ['user.locked', false],
      ['user.unlocked', true],
      ['user.removed', false],
    ] as const) {
      assert.isTrue(await person.report(type), type)
      assert.equal(await allowed(client, check), expected, type)
    }
  })

  test('a user known only from a token is found by the id', async ({ assert, client }) => {
    const [email, person] = [uniqueEmail(), createProviderUser()]
    await signedIn(client, email, { claims: { sub: person.id } }).get('/api/profile/me')
    assert.isTrue(await person.report('user.deactivated'))
    assert.isFalse(await isActive(email))
  })

  test('names are put on one line, also those of generic events and tokens', async ({
    assert,
    client,
  }) => {
    const name = 'Ada\r\nBcc: eve@acme.example\u2028 King'
    const person = createProviderUser()
    const [signed, generic, token] = [uniqueEmail(), uniqueEmail(), uniqueEmail()]
    await person.report('user.human.added', { email: signed, displayName: name })
    const user = { email: generic, id: uniqueId(), displayName: name }
    await webhook(client, { eventType: 'user.created', user })
    await signedIn(client, token, { claims: { name } }).get('/api/profile/me')
    for (const email of [signed, generic, token]) {
      const { displayName } = await User.withEmail(email)
      assert.equal(displayName, 'Ada Bcc: eve@acme.example King')
    }
  })

  test('a profile change updates only the names it contains', async ({ assert, client }) => {
    const [email, person] = [uniqueEmail(), createProviderUser()]
    await person.report('user.human.added', added(email))
    await person.report('user.human.profile.changed', { lastName: 'Murray' })
    assert.deepEqual(await namesOf(client, email), ['Sinéad', 'Murray', "Sinéad O'Neil"])
    await person.report('user.human.profile.changed', { displayName: 'S. M.', firstName: '' })
    assert.deepEqual(await namesOf(client, email), ['Sinéad', 'Murray', 'S. M.'])
  })

  test('names changed here later are kept, the others are updated', async ({ assert, client }) => {
    const [email, person] = [uniqueEmail(), createProviderUser()]
    await person.report('user.human.added', added(email))
    const late = person.next('user.human.profile.changed', { firstName: 'Late', lastName: 'Late' })
    await syncNames(client, { email, firstName: 'Newer' })
    await postProviderEvent(late)
    assert.deepEqual(await namesOf(client, email), ['Newer', 'Late', "Sinéad O'Neil"])
  })

  test('a base64 payload of older versions has the same effect', async ({ assert, client }) => {
    const [email, person] = [uniqueEmail(), createProviderUser()]
    const payload = Buffer.from(JSON.stringify(added(email))).toString('base64')
    assert.isTrue(await person.report('user.human.added', payload))
    assert.deepEqual(await namesOf(client, email), ['Sinéad', "O'Neil", "Sinéad O'Neil"])
  })

  test('a new member of a mapped organisation gets a preference in its application', async ({
    assert,
    client,
  }) => {
    const shop = await anApplication({ code: 'mapped-shop' }).catch(() => null)
    const [email, person] = [uniqueEmail(), createProviderUser()]
    await postProviderEvent({
      ...person.next('user.human.added', added(email)),
      resourceOwner: 'org-of-shop',
    })
    const own = signedIn(client, email, { claims: { sub: person.id } })
    const { data } = (await own.get('/api/profile/me/apps')).body()
    assert.equal(data[0].applicationCode, 'mapped-shop')
    await shop?.delete()
  })

  test('a repeated event changes nothing more', async ({ assert }) => {
    const [email, person] = [uniqueEmail(), createProviderUser()]
    const events = [
      person.next('user.human.added', added(email)),
      person.next('user.human.profile.changed', { firstName: 'Grace' }),
      person.next('user.deactivated'),
    ]
    for (const event of events) await postProviderEvent(event)
    const before = (await User.withEmail(email)).$attributes
    for (const event of [...events, ...events]) assert.isTrue(await postProviderEvent(event))
    assert.deepEqual((await User.withEmail(email)).$attributes, before)
  })

  test('the sequence, as a number or text, orders events of the same time', async ({ assert }) => {
    const [email, person] = [uniqueEmail(), createProviderUser()]
    await person.report('user.human.added', added(email))
    const now = { ...person.next('user.locked') }
    await postProviderEvent({ ...now, event_type: 'user.reactivated', sequence: '10' })
    await postProviderEvent({ ...now, event_type: 'user.deactivated', sequence: 9 })
    assert.isTrue(await isActive(email))
    const { created_at: at } = now
    await postProviderEvent({ ...now, created_at: at.replace('Z', '000002Z'), sequence: 1 })
    await postProviderEvent({
      ...now,
      event_type: 'user.unlocked',
      created_at: at.replace('Z', '000001Z'),
    })
    assert.isFalse(await isActive(email))
  })

  test('no part of a password is stored', async ({ assert }) => {
    const [email, person] = [uniqueEmail(), createProviderUser()]
    const secrets = { encodedHash: '$2a$14$secret-hash', secret: { Crypted: 'secret-hash' } }
    await person.report('user.human.added', added(email, secrets))
    const stored = [
      (await User.withEmail(email)).$attributes,
      (await ProviderUser.findByOrFail({ idpUserId: person.id })).$attributes,
    ]
    assert.notInclude(JSON.stringify(stored), 'secret-hash')
  })
})

test.group('Events of the provider: affected users', () => {
  test('events about unknown users are accepted and create no record', async ({ assert }) => {
    const before = await User.query().count('* as total')
    const machine = createProviderUser()
    for (const type of [
      'user.deactivated',
      'user.locked',
      'user.removed',
      'user.username.changed',
    ]) {
      assert.isFalse(await machine.report(type), type)
    }
    assert.isFalse(await machine.report('user.human.profile.changed', { firstName: 'X' }))
    const after = await User.query().count('* as total')
    assert.deepEqual(after[0].$extras, before[0].$extras)
  })

  test('other events and aggregates are accepted', async ({ assert }) => {
    const [email, person] = [uniqueEmail(), createProviderUser()]
    await person.report('user.human.added', added(email))
    for (const type of ['user.machine.added', 'user.human.password.changed', 'toString', '']) {
      assert.isFalse(await person.report(type, { email: 'other@tests.example' }), type)
    }
    const org = { ...person.next('user.removed'), aggregateType: 'org' }
    assert.isFalse(await postProviderEvent(org))
    assert.isTrue(await isActive(email))
  })

  test('the author of an event is not its subject', async ({ assert }) => {
    const [email, actor, other] = [uniqueEmail(), createProviderUser(), createProviderUser()]
    await actor.report('user.human.added', added(email))
    await postProviderEvent({ ...other.next('user.removed'), userID: actor.id })
    assert.isTrue(await isActive(email))
  })

  test('a removal that arrives before the creation is not lost', async ({ assert }) => {
    const [email, person] = [uniqueEmail(), createProviderUser()]
    const creation = person.next('user.human.added', added(email))
    assert.isFalse(await person.report('user.removed'))
    assert.isTrue(await postProviderEvent(creation))
    assert.isFalse(await isActive(email))
  })

  test('a creation does not reactivate someone deactivated by address', async ({
    assert,
    client,
  }) => {
    const [email, person] = [uniqueEmail(), createProviderUser()]
    await webhook(client, { eventType: 'user.deactivated', user: { email } })
    assert.isTrue(await person.report('user.human.added', added(email)))
    await signedIn(client, email, { claims: { sub: person.id } }).get('/api/profile/me')
    await person.report('user.human.profile.changed', { firstName: 'Grace' })
    assert.isFalse(await isActive(email))
    const reactivation = person.next('user.reactivated')
    await postProviderEvent({ ...reactivation, created_at: new Date().toISOString() })
    assert.isTrue(await isActive(email))
  })

  test('a token with another id does not shield a user from events', async ({ assert, client }) => {
    const [email, person] = [uniqueEmail(), createProviderUser()]
    await person.report('user.human.added', added(email))
    await signedIn(client, email, { claims: { sub: person.id } }).get('/api/profile/me')
    await signedIn(client, email, { claims: { sub: uniqueId() } }).get('/api/profile/me')
    assert.isTrue(await person.report('user.deactivated'))
    assert.isFalse(await isActive(email))
  })

  test('a token of another reported account does not shield a user from events', async ({
    assert,
    client,
  }) => {
    const [email, one, other] = [uniqueEmail(), createProviderUser(), createProviderUser()]
    await one.report('user.human.added', added(email))
    await other.report('user.human.added', added(email))
    await signedIn(client, email, { claims: { sub: one.id } }).get('/api/profile/me')
    await signedIn(client, email, { claims: { sub: other.id } }).get('/api/profile/me')
    assert.isFalse(await other.report('user.removed'))
    assert.isTrue(await isActive(email))
    assert.isTrue(await one.report('user.removed'))
    assert.isFalse(await isActive(email))
  })

  test('both formats act on the same user in any order', async ({ assert, client }) => {
    const [email, person] = [uniqueEmail(), createProviderUser()]
    await person.report('user.human.added', added(email))
    await webhook(client, { eventType: 'user.deactivated', user: { email } })
    await person.report('user.human.profile.changed', { firstName: 'Grace' })
    await person.report('user.reactivated')
    assert.isFalse(await isActive(email), 'the reactivation happened before the deactivation')
    await webhook(client, { eventType: 'user.reactivated', user: { email } })
    assert.isTrue(await isActive(email))
  })
})

test.group('Events of the provider: a changed address', () => {
  test('closes the record of the old address and creates one without its access', async ({
    assert,
    client,
  }) => {
    const [old, fresh, person] = [uniqueEmail('old'), uniqueEmail('new'), createProviderUser()]
    await person.report('user.human.added', added(old))
    await signedIn(client, old, { claims: { sub: person.id } }).get('/api/profile/me')
    assert.isTrue(await person.report('user.human.email.changed', { email: fresh }))
    assert.isFalse(await isActive(old))
    assert.isTrue(await isActive(fresh))
    assert.deepEqual(await namesOf(client, fresh), ['Sinéad', "O'Neil", "Sinéad O'Neil"])
    assert.deepEqual((await profileOf(client, fresh)).email, fresh)
    assert.notEqual((await User.withEmail(old)).id, (await User.withEmail(fresh)).id)
  })

  test('reopens the old record if it is changed back', async ({ assert, client }) => {
    const [old, fresh, person] = [uniqueEmail('old'), uniqueEmail('new'), createProviderUser()]
    await person.report('user.human.added', added(old))
    await signedIn(client, old, { claims: { sub: person.id } }).get('/api/profile/me')
    await person.report('user.human.email.changed', { email: fresh })
    await person.report('user.human.email.changed', { email: old })
    assert.deepEqual([await isActive(old), await isActive(fresh)], [true, true])
  })

  test('does not reactivate a deactivated user', async ({ assert, client }) => {
    const [old, fresh, person] = [uniqueEmail('old'), uniqueEmail('new'), createProviderUser()]
    await person.report('user.human.added', added(old))
    await signedIn(client, old, { claims: { sub: person.id } }).get('/api/profile/me')
    await person.report('user.deactivated')
    await person.report('user.human.email.changed', { email: fresh })
    assert.deepEqual([await isActive(old), await isActive(fresh)], [false, false])
  })

  test('does not give the old record to the next user of the address', async ({
    assert,
    client,
  }) => {
    const [email, fresh] = [uniqueEmail('shared'), uniqueEmail('new')]
    const [first, second] = [createProviderUser(), createProviderUser()]
    await first.report('user.human.added', added(email))
    await signedIn(client, email, { claims: { sub: first.id } }).get('/api/profile/me')
    await first.report('user.human.email.changed', { email: fresh })
    assert.isFalse(await second.report('user.human.added', added(email, { firstName: 'Second' })))
    await signedIn(client, email, { claims: { sub: second.id } }).get('/api/profile/me')
    assert.isFalse(await second.report('user.deactivated'))
    assert.isFalse(await second.report('user.reactivated'))
    const user = await User.withEmail(email)
    assert.deepInclude(user.$attributes, {
      active: false,
      idpUserId: first.id,
      firstName: 'Sinéad',
    })

    // A super admin hands the record over, and an event about the address reactivates it.
    const path = `/api/users/${encodeURIComponent(email)}/identity`
    await superAdmin(client).put(path, { idpUserId: second.id })
    assert.isFalse(await isActive(email))
    await webhook(client, { eventType: 'user.reactivated', user: { id: second.id, email } })
    assert.deepInclude((await User.withEmail(email)).$attributes, {
      active: true,
      idpUserId: second.id,
    })
    assert.isTrue(await second.report('user.human.profile.changed', { firstName: 'Second' }))
  })

  test('does not take an address from someone else', async ({ assert }) => {
    const [email, own] = [uniqueEmail('victim'), uniqueEmail('attacker')]
    const [victim, attacker] = [createProviderUser(), createProviderUser()]
    await victim.report('user.human.added', added(email))
    await attacker.report('user.human.added', added(own))
    await attacker.report('user.human.email.changed', { email })
    await attacker.report('user.human.profile.changed', { firstName: 'Mallory' })
    await attacker.report('user.removed')
    const user = await User.withEmail(email)
    assert.deepInclude(user.$attributes, {
      active: true,
      idpUserId: victim.id,
      firstName: 'Sinéad',
    })
    assert.isTrue(await isActive(own), 'never proved, and left')
  })

  test('follows the account that owns the record if two share an address', async ({ assert }) => {
    const [email, one, other] = [
      uniqueEmail(),
      createProviderUser(),
      createProviderUser(uniqueId()),
    ]
    await one.report('user.human.added', added(email))
    await postProviderEvent({
      ...other.next('user.human.added', added(email)),
      resourceOwner: 'another-org',
    })
    assert.isFalse(await other.report('user.removed'))
    assert.isTrue(await isActive(email))
    await one.report('user.removed')
    assert.isFalse(await isActive(email))
  })
})
