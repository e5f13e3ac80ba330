import { test } from '@japa/runner'
import User from '#app/profiles/models/user'
import ProviderUser from '#app/identity_provider/models/provider_user'
import { allowed, managing } from '#tests/helpers/management'
import { anApplication, signedIn, superAdmin, uniqueEmail } from '#tests/helpers/people'
import { namesOf, profileOf, syncNames, webhook } from '#tests/helpers/profiles'
import { ORGANISATION, atProvider, report, uniqueId } from '#tests/helpers/provider_events'

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

test.group('Events of the provider: what they do', () => {
  test('a person who is added, or registers, is recorded with names and ids', async ({
    assert,
    client,
  }) => {
    for (const type of ['user.human.added', 'user.human.selfregistered']) {
      const [email, person] = [uniqueEmail(), atProvider()]
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

  test('each end and return reaches checks, by the id alone', async ({ assert, client }) => {
    const [email, person] = [uniqueEmail(), atProvider()]
    const { code } = await anApplication()
    const manage = managing(client, code)
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

  test('a person known from a token alone is found by the id', async ({ assert, client }) => {
    const [email, person] = [uniqueEmail(), atProvider()]
    await signedIn(client, email, { claims: { sub: person.id } }).get('/api/profile/me')
    assert.isTrue(await person.report('user.deactivated'))
    assert.isFalse(await isActive(email))
  })

  test('a profile change brings the names it states and leaves the others', async ({
    assert,
    client,
  }) => {
    const [email, person] = [uniqueEmail(), atProvider()]
    await person.report('user.human.added', added(email))
    await person.report('user.human.profile.changed', { lastName: 'Murray' })
    assert.deepEqual(await namesOf(client, email), ['Sinéad', 'Murray', "Sinéad O'Neil"])
    await person.report('user.human.profile.changed', { displayName: 'S. M.', firstName: '' })
    assert.deepEqual(await namesOf(client, email), ['Sinéad', 'Murray', 'S. M.'])
  })

  test('names changed here since are kept, the others are taken over', async ({
    assert,
    client,
  }) => {
    const [email, person] = [uniqueEmail(), atProvider()]
    await person.report('user.human.added', added(email))
    const late = person.next('user.human.profile.changed', { firstName: 'Late', lastName: 'Late' })
    await syncNames(client, { email, firstName: 'Newer' })
    await report(late)
    assert.deepEqual(await namesOf(client, email), ['Newer', 'Late', "Sinéad O'Neil"])
  })

  test('a payload in base64, as earlier versions post it, says the same', async ({
    assert,
    client,
  }) => {
    const [email, person] = [uniqueEmail(), atProvider()]
    const payload = Buffer.from(JSON.stringify(added(email))).toString('base64')
    assert.isTrue(await person.report('user.human.added', payload))
    assert.deepEqual(await namesOf(client, email), ['Sinéad', "O'Neil", "Sinéad O'Neil"])
  })

  test('a new member of a mapped organisation gets the preference there', async ({
    assert,
    client,
  }) => {
    const shop = await anApplication({ code: 'mapped-shop' }).catch(() => null)
    const [email, person] = [uniqueEmail(), atProvider()]
    await report({
      ...person.next('user.human.added', added(email)),
      resourceOwner: 'org-of-shop',
    })
    const own = signedIn(client, email, { claims: { sub: person.id } })
    const { data } = (await own.get('/api/profile/me/apps')).body()
    assert.equal(data[0].applicationCode, 'mapped-shop')
    await shop?.delete()
  })

  test('the same event again changes nothing more', async ({ assert }) => {
    const [email, person] = [uniqueEmail(), atProvider()]
    const events = [
      person.next('user.human.added', added(email)),
      person.next('user.human.profile.changed', { firstName: 'Grace' }),
      person.next('user.deactivated'),
    ]
    for (const event of events) await report(event)
    const before = (await User.withEmail(email)).$attributes
    for (const event of [...events, ...events]) assert.isTrue(await report(event))
    assert.deepEqual((await User.withEmail(email)).$attributes, before)
  })

  test('the sequence, as a number or as text, orders what has the same time', async ({
    assert,
  }) => {
    const [email, person] = [uniqueEmail(), atProvider()]
    await person.report('user.human.added', added(email))
    const now = { ...person.next('user.locked') }
    await report({ ...now, event_type: 'user.reactivated', sequence: '10' })
    await report({ ...now, event_type: 'user.deactivated', sequence: 9 })
    assert.isTrue(await isActive(email))
    const { created_at: at } = now
    await report({ ...now, created_at: at.replace('Z', '000002Z'), sequence: 1 })
    await report({ ...now, event_type: 'user.unlocked', created_at: at.replace('Z', '000001Z') })
    assert.isFalse(await isActive(email))
  })

  test('nothing of a password is stored', async ({ assert }) => {
    const [email, person] = [uniqueEmail(), atProvider()]
    const secrets = { encodedHash: '$2a$14$secret-hash', secret: { Crypted: 'secret-hash' } }
    await person.report('user.human.added', added(email, secrets))
    const stored = [
      (await User.withEmail(email)).$attributes,
      (await ProviderUser.findByOrFail({ idpUserId: person.id })).$attributes,
    ]
    assert.notInclude(JSON.stringify(stored), 'secret-hash')
  })
})

test.group('Events of the provider: whom they reach', () => {
  test('events about nobody known here are answered and record nobody', async ({ assert }) => {
    const before = await User.query().count('* as total')
    const machine = atProvider()
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

  test('other events and other aggregates are answered, so that nobody looks for a failure', async ({
    assert,
  }) => {
    const [email, person] = [uniqueEmail(), atProvider()]
    await person.report('user.human.added', added(email))
    for (const type of ['user.machine.added', 'user.human.password.changed', 'toString', '']) {
      assert.isFalse(await person.report(type, { email: 'other@tests.example' }), type)
    }
    const org = { ...person.next('user.removed'), aggregateType: 'org' }
    assert.isFalse(await report(org))
    assert.isTrue(await isActive(email))
  })

  test('whoever caused an event is not whom it is about', async ({ assert }) => {
    const [email, actor, other] = [uniqueEmail(), atProvider(), atProvider()]
    await actor.report('user.human.added', added(email))
    await report({ ...other.next('user.removed'), userID: actor.id })
    assert.isTrue(await isActive(email))
  })

  test('a removal that comes before the creation is not lost', async ({ assert }) => {
    const [email, person] = [uniqueEmail(), atProvider()]
    const creation = person.next('user.human.added', added(email))
    assert.isFalse(await person.report('user.removed'))
    assert.isTrue(await report(creation))
    assert.isFalse(await isActive(email))
  })

  test('a creation does not let in somebody who was deactivated by their address', async ({
    assert,
    client,
  }) => {
    const [email, person] = [uniqueEmail(), atProvider()]
    await webhook(client, { eventType: 'user.deactivated', user: { email } })
    assert.isTrue(await person.report('user.human.added', added(email)))
    await person.report('user.human.profile.changed', { firstName: 'Grace' })
    assert.isFalse(await isActive(email))
    await person.report('user.reactivated')
    assert.isTrue(await isActive(email))
  })

  test('a token that names another id does not take a person out of reach', async ({
    assert,
    client,
  }) => {
    const [email, person] = [uniqueEmail(), atProvider()]
    await person.report('user.human.added', added(email))
    await signedIn(client, email, { claims: { sub: uniqueId() } }).get('/api/profile/me')
    assert.isTrue(await person.report('user.deactivated'))
    assert.isFalse(await isActive(email))
  })

  test('nor does a token of another account that the provider told of', async ({
    assert,
    client,
  }) => {
    const [email, one, other] = [uniqueEmail(), atProvider(), atProvider()]
    await one.report('user.human.added', added(email))
    await other.report('user.human.added', added(email))
    await signedIn(client, email, { claims: { sub: other.id } }).get('/api/profile/me')
    assert.isFalse(await other.report('user.removed'))
    assert.isTrue(await isActive(email))
    assert.isTrue(await one.report('user.removed'))
    assert.isFalse(await isActive(email))
  })

  test('both forms act on the same person, whichever comes last', async ({ assert, client }) => {
    const [email, person] = [uniqueEmail(), atProvider()]
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
  test('closes the record of the old address and opens one of the new, without its rights', async ({
    assert,
    client,
  }) => {
    const [old, fresh, person] = [uniqueEmail('old'), uniqueEmail('new'), atProvider()]
    await person.report('user.human.added', added(old))
    assert.isTrue(await person.report('user.human.email.changed', { email: fresh }))
    assert.isFalse(await isActive(old))
    assert.isTrue(await isActive(fresh))
    assert.deepEqual(await namesOf(client, fresh), ['Sinéad', "O'Neil", "Sinéad O'Neil"])
    assert.deepEqual((await profileOf(client, fresh)).email, fresh)
    assert.notEqual((await User.withEmail(old)).id, (await User.withEmail(fresh)).id)
  })

  test('changed back opens the old record again', async ({ assert }) => {
    const [old, fresh, person] = [uniqueEmail('old'), uniqueEmail('new'), atProvider()]
    await person.report('user.human.added', added(old))
    await person.report('user.human.email.changed', { email: fresh })
    await person.report('user.human.email.changed', { email: old })
    assert.deepEqual([await isActive(old), await isActive(fresh)], [true, false])
  })

  test('frees nobody who is deactivated', async ({ assert }) => {
    const [old, fresh, person] = [uniqueEmail('old'), uniqueEmail('new'), atProvider()]
    await person.report('user.human.added', added(old))
    await person.report('user.deactivated')
    await person.report('user.human.email.changed', { email: fresh })
    assert.deepEqual([await isActive(old), await isActive(fresh)], [false, false])
  })

  test('the next person with an address that was left does not get its record', async ({
    assert,
    client,
  }) => {
    const [email, fresh] = [uniqueEmail('shared'), uniqueEmail('new')]
    const [first, second] = [atProvider(), atProvider()]
    await first.report('user.human.added', added(email))
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

    // A super admin who knows that it is right hands it over, and says so of the address itself.
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

  test('an address that belongs to somebody else stays theirs', async ({ assert }) => {
    const [email, own] = [uniqueEmail('victim'), uniqueEmail('attacker')]
    const [victim, attacker] = [atProvider(), atProvider()]
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
    assert.isFalse(await isActive(own))
  })

  test('two accounts with one address in two organisations: whoever has the record decides', async ({
    assert,
  }) => {
    const [email, one, other] = [uniqueEmail(), atProvider(), atProvider(uniqueId())]
    await one.report('user.human.added', added(email))
    await report({ ...other.next('user.human.added', added(email)), resourceOwner: 'another-org' })
    assert.isFalse(await other.report('user.removed'))
    assert.isTrue(await isActive(email))
    await one.report('user.removed')
    assert.isFalse(await isActive(email))
  })
})
