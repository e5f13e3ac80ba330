import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import User from '#app/profiles/models/user'
import { aTemplate, aType, sendNotification } from '#tests/helpers/deliveries'
import { anApplication, signedIn, superAdmin, uniqueEmail } from '#tests/helpers/people'
import { webhook } from '#tests/helpers/profiles'
import { createProviderUser, postProviderEvent } from '#tests/helpers/provider_events'
import { smtp } from '#tests/world/prepare'

const NAMES = { firstName: 'Mallory', displayName: 'Win $1,000' }
const identityOf = (email: string) => `/api/users/${encodeURIComponent(email)}/identity`
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString()
const isActive = async (email: string) => (await User.withEmail(email)).active

async function visit(client: ApiClient, email: string, sub: string, path = '/api/profile/me/apps') {
  const response = await signedIn(client, email, { claims: { sub } }).get(path)
  return response.status()
}

/** What a stranger can do with an address that they register and never verify. */
const STRANGERS = {
  'registers and leaves it': ['user.human.selfregistered', 'user.human.email.changed'],
  'changes to it and leaves it': ['added elsewhere', 'changed to it', 'user.human.email.changed'],
  'is created with it and removed': ['user.human.added', 'user.removed'],
  'registers and is removed': ['user.human.selfregistered', 'user.removed'],
  'registers and is locked': ['user.human.selfregistered', 'user.locked'],
  'registers and is deactivated': ['user.human.selfregistered', 'user.deactivated'],
  'changes to it and is removed': ['added elsewhere', 'changed to it', 'user.removed'],
}

async function attack(steps: string[], email: string) {
  const stranger = createProviderUser()
  for (const step of steps) {
    if (step === 'added elsewhere') {
      await stranger.report('user.human.added', { email: uniqueEmail('stranger') })
    } else if (step === 'changed to it') {
      await stranger.report('user.human.email.changed', { email })
    } else if (step === 'user.human.email.changed') {
      await stranger.report(step, { email: uniqueEmail('stranger') })
    } else {
      await stranger.report(step, { email, firstName: 'Mallory', displayName: 'Win $1,000' })
    }
  }
  return stranger
}

test.group('An address that a stranger has registered without proof', () => {
  for (const [title, steps] of Object.entries(STRANGERS)) {
    test(`opens to its owner after the stranger ${title}`, async ({ assert, client }) => {
      const [email, owner] = [uniqueEmail('victim'), createProviderUser()]
      const stranger = await attack(steps, email)
      await owner.report('user.human.added', { email, firstName: 'Vera', lastName: 'Owner' })
      assert.equal(await visit(client, email, owner.id), 200)
      await stranger.report('user.deactivated')
      await stranger.report('user.human.profile.changed', { firstName: 'Mallory' })
      await stranger.report('user.human.email.changed', { email: uniqueEmail('stranger') })
      await owner.report('user.human.profile.changed', { firstName: 'Vera' })
      assert.equal(await visit(client, email, owner.id), 200)
      const user = await User.withEmail(email)
      assert.deepInclude(user.$attributes, { idpUserId: owner.id, firstName: 'Vera' })
      assert.notEqual(user.displayName, 'Win $1,000')
      assert.equal(await visit(client, email, stranger.id, '/api/profile/me'), 403)
    })

    test(`with a record of its own does not change when the stranger ${title}`, async ({
      assert,
      client,
    }) => {
      const [email, owner] = [uniqueEmail('victim'), createProviderUser()]
      await User.create({ email, active: true, theme: 'system' })
      const before = (await User.withEmail(email)).$attributes
      await attack(steps, email)
      assert.deepEqual((await User.withEmail(email)).$attributes, before)
      assert.equal(await visit(client, email, owner.id), 200)
      await attack(steps, email)
      assert.isTrue(await isActive(email))
    })
  }

  test('is bound to the account that a super admin names', async ({ assert, client }) => {
    const [email, owner] = [uniqueEmail('victim'), createProviderUser()]
    await attack(STRANGERS['registers and leaves it'], email)
    const response = await superAdmin(client).put(identityOf(email), { idpUserId: owner.id })
    response.assertStatus(200)
    assert.isTrue(response.body().data.active)
    assert.equal(await visit(client, email, owner.id), 200)
  })

  test('stays closed if an event about the address deactivated its holder', async ({
    assert,
    client,
  }) => {
    const [email, owner] = [uniqueEmail('leaver'), createProviderUser()]
    await attack(['user.human.selfregistered'], email)
    await webhook(client, { eventType: 'user.deactivated', user: { email } })
    assert.equal(await visit(client, email, owner.id), 403)
    await owner.report('user.human.profile.changed', { firstName: 'Vera' })
    assert.isFalse(await isActive(email))
  })

  test('stays closed to the stranger if a super admin deactivated its holder', async ({
    assert,
    client,
  }) => {
    for (const close of [
      (email: string) =>
        superAdmin(client).put(`/api/users/${encodeURIComponent(email)}/active`, { active: false }),
      (email: string) => webhook(client, { eventType: 'user.deactivated', user: { email } }),
    ]) {
      const email = uniqueEmail('leaver')
      const [stranger, owner] = [createProviderUser(), createProviderUser()]
      await stranger.report('user.human.selfregistered', { email })
      const response = await close(email)
      response.assertStatus(200)
      const { statusEventAt } = await User.withEmail(email)
      for (const [index, type] of ['user.locked', 'user.unlocked', 'user.reactivated'].entries()) {
        await postProviderEvent({ ...stranger.next(type), created_at: inSeconds(index + 1) })
        assert.isFalse(await isActive(email), type)
      }
      assert.equal((await User.withEmail(email)).statusEventAt, statusEventAt)
      assert.equal(await visit(client, email, owner.id), 403)
    }
  })

  test('in another organisation does not shield its owner from events', async ({
    assert,
    client,
  }) => {
    const email = uniqueEmail('leaver')
    await attack(['user.human.selfregistered'], email)
    const event = { eventType: 'user.deactivated', orgId: 'owners-org', user: { email } }
    assert.isTrue((await webhook(client, event)).body().data.handled)
    assert.isFalse(await isActive(email))
  })

  test('is open as soon as the stranger has left it, however many there are', async ({
    assert,
    client,
  }) => {
    const [stranger, addresses] = [createProviderUser(), [] as string[]]
    for (let count = 0; count < 60; count++) {
      const email = uniqueEmail(`mass${count}`)
      const type = count === 0 ? 'user.human.added' : 'user.human.email.changed'
      await stranger.report(type, { email, ...NAMES })
      addresses.push(email)
    }
    await stranger.report('user.locked')
    for (const email of addresses.slice(0, -1)) {
      const { $attributes } = await User.withEmail(email)
      assert.deepInclude($attributes, { active: true, firstName: null, displayName: null })
    }
    const application = await anApplication()
    const sent = await sendNotification(client, {
      appCode: application.code,
      recipientEmail: addresses[1],
      type: 'generic',
      data: { subject: 'Hello', body: 'Hello' },
    })
    assert.equal(sent.body().data.status, 'sent')
    assert.equal(await visit(client, addresses[2], uniqueEmail()), 200)
  })

  test('is not addressed by the names of the stranger in messages', async ({ assert, client }) => {
    const [email, stranger] = [uniqueEmail('victim'), createProviderUser()]
    await stranger.report('user.human.added', { email, ...NAMES })
    const application = await anApplication()
    const type = await aType(application)
    const texts = { en: { subject: 'Hello {{userName}}', body: '<p>Hello</p>' } }
    const template = await aTemplate(type, texts)
    const namesOfMail = async () => {
      await sendNotification(client, {
        appCode: application.code,
        recipientEmail: email,
        type: type.code,
        template: template.key,
        data: {},
      })
      const { to, subject } = smtp.mailsTo(email).at(-1)!.parsed
      return [[to].flat()[0]!.value[0].name, subject]
    }
    const [localPart] = email.split('@')
    assert.deepEqual(await namesOfMail(), [localPart, `Hello ${localPart}`])
    assert.equal(await visit(client, email, stranger.id), 200)
    assert.deepEqual(await namesOfMail(), [NAMES.displayName, `Hello ${NAMES.displayName}`])
  })

  test('is not taken over by another account without proof', async ({ assert }) => {
    const email = uniqueEmail()
    const first = await attack(['user.human.selfregistered'], email)
    await attack(STRANGERS['registers and is removed'], email)
    const user = await User.withEmail(email)
    assert.deepInclude(user.$attributes, { active: true, idpUserId: first.id })
  })
})

test.group('An account that moves to an address which a removed account had', () => {
  test('keeps its own record when it moves back', async ({ assert, client }) => {
    const [former, person] = [createProviderUser(), createProviderUser()]
    const [own, reused] = [uniqueEmail('own'), uniqueEmail('reused')]
    await former.report('user.human.added', { email: reused })
    await visit(client, reused, former.id)
    await former.report('user.removed')
    await person.report('user.human.added', { email: own })
    assert.equal(await visit(client, own, person.id), 200)
    await person.report('user.human.email.changed', { email: reused })
    assert.equal(await visit(client, reused, person.id), 403, 'until it is reactivated')
    await person.report('user.human.email.changed', { email: own })
    assert.equal(await visit(client, own, person.id), 200)
  })
})
