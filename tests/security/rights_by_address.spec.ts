import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import db from '@adonisjs/lucid/services/db'
import Application from '#app/applications/models/application'
import ApplicationAdmin from '#app/permissions/models/application_admin'
import Permission from '#app/permissions/models/permission'
import User from '#app/profiles/models/user'
import { openAbandonedRecords } from '#app/identity_provider/reconciliation/open_abandoned_records'
import { newRunSummary } from '#app/identity_provider/reconciliation/reconciliation'
import { anApplication, signedIn, superAdmin, uniqueEmail } from '#tests/helpers/people'
import { inPath } from '#tests/helpers/management'
import { webhook } from '#tests/helpers/profiles'
import { createProviderUser, postProviderEvent, uniqueId } from '#tests/helpers/provider_events'
import { reconcile } from '#tests/helpers/reconciliation'
import type { IdentityApi } from '#tests/world/identity_api'
import { startProviderService } from '#tests/world/provider_service'
import type { RunningService } from '#tests/world/service'

const STRANGER_NAMES = { firstName: 'Mallory', displayName: 'Win $1,000' }
const NO_NAMES = { firstName: null, lastName: null, displayName: null }
const CREATED = 'user.human.selfregistered'

/** An address that holds a right and has no user record, and a check of that right. */
async function aHolder() {
  const [application, email] = [await anApplication(), uniqueEmail('holder')]
  await ApplicationAdmin.create({ email, applicationId: application.id })
  const code = 'orders.read'
  await Permission.create({ applicationId: application.id, code, type: 'binary', global: false })
  return { email, question: { email, app: application.code, permission: code } }
}

const visit = async (client: ApiClient, email: string, sub: string, path = '/api/profile/me') =>
  await signedIn(client, email, { claims: { sub } }).get(path)

test.group('A record with rights, reserved by an account without proof', () => {
  test('does not take over the names of the account', async ({ assert, client }) => {
    const [{ email }, stranger, owner] = [
      await aHolder(),
      createProviderUser(),
      createProviderUser(),
    ]
    await stranger.report(CREATED, { email, ...STRANGER_NAMES })
    await stranger.report('user.human.profile.changed', STRANGER_NAMES)
    assert.deepInclude((await User.withEmail(email)).$attributes, NO_NAMES)
    const shown = await superAdmin(client).get(`/api/users/${inPath(email)}`)
    assert.notInclude(JSON.stringify(shown.body()), 'Mallory')
    await owner.report('user.human.added', { email, firstName: 'Vera' })
    const profile = await visit(client, email, owner.id)
    assert.deepInclude(profile.body().data, { firstName: 'Vera', lastName: null })
  })

  test('loses the names of the account with the next event if the rights are granted later', async ({
    assert,
  }) => {
    const [email, stranger] = [uniqueEmail('holder'), createProviderUser()]
    await stranger.report(CREATED, { email, ...STRANGER_NAMES })
    const { id: applicationId } = await anApplication()
    await ApplicationAdmin.create({ email, applicationId })
    await stranger.report('user.username.changed', { userName: 'mallory' })
    assert.deepInclude((await User.withEmail(email)).$attributes, NO_NAMES)
  })

  test('takes over the names of the account once it proves the address', async ({
    assert,
    client,
  }) => {
    for (const prove of [
      (email: string, id: string) => visit(client, email, id),
      (email: string, id: string) =>
        superAdmin(client).put(`/api/users/${inPath(email)}/identity`, { idpUserId: id }),
      (email: string, id: string) =>
        webhook(client, { eventType: 'user.reactivated', user: { email, id } }),
    ]) {
      const [{ email }, owner] = [await aHolder(), createProviderUser()]
      await owner.report('user.human.added', { email, firstName: 'Vera', lastName: 'Owner' })
      assert.deepInclude((await User.withEmail(email)).$attributes, NO_NAMES)
      const response = await prove(email, owner.id)
      response.assertStatus(200)
      assert.deepInclude((await User.withEmail(email)).$attributes, {
        firstName: 'Vera',
        lastName: 'Owner',
        idpUserId: owner.id,
        identityVerified: true,
      })
    }
  })

  test('stays active when the account leaves the address, even after a lock', async ({
    assert,
  }) => {
    for (const steps of [[], ['user.locked']]) {
      const [{ email }, stranger] = [await aHolder(), createProviderUser()]
      await stranger.report(CREATED, { email, ...STRANGER_NAMES })
      for (const step of steps) await stranger.report(step)
      await stranger.report('user.human.email.changed', { email: uniqueEmail('stranger') })
      await stranger.report('user.removed')
      assert.deepInclude((await User.withEmail(email)).$attributes, {
        active: true,
        idpUserId: null,
        ...NO_NAMES,
      })
    }
  })

  test('follows the status of the account if the provider cannot be asked', async ({ assert }) => {
    const [{ email }, account] = [await aHolder(), createProviderUser()]
    await account.report('user.human.added', { email })
    for (const [type, active] of [
      ['user.deactivated', false],
      ['user.reactivated', true],
      ['user.locked', false],
      ['user.unlocked', true],
      ['user.removed', false],
    ] as const) {
      await account.report(type)
      assert.equal((await User.withEmail(email)).active, active, type)
    }
  })
})

test.group('A record with rights, if the provider can be asked about its address', (group) => {
  let api: IdentityApi
  let service: RunningService
  const orgId = uniqueId()

  group.setup(async () => {
    const started = await startProviderService()
    ;({ api, service } = started)
    return started.stop
  })
  group.each.setup(() => {
    api.fault()
    api.denied.clear()
    api.beforeRead = async () => {}
  })

  /** A user of the provider with this address, whose events reach the service. */
  function anAccount(email: string, { isVerified = false } = {}) {
    const user = createProviderUser(uniqueId(), { service: service.url })
    const stored = api.addUser({ userId: user.id, orgId, email, isVerified })
    const report = (type: string, payload?: object) => user.report(type, payload)
    return {
      ...user,
      stored,
      report,
      async remove() {
        api.state.users.delete(user.id)
        await report('user.removed')
      },
      async deactivate(type = 'user.deactivated') {
        stored.state = type === 'user.locked' ? 'LOCKED' : 'INACTIVE'
        await report(type)
      },
    }
  }

  const allowed = async (client: ApiClient, question: object) => {
    const response = await client.post(`${service.url}/api/check`).json(question)
    return response.body().data.allowed as boolean
  }

  const recordOf = async (email: string) => (await User.withEmail(email)).$attributes

  for (const [title, steps] of Object.entries({
    'is deactivated': ['user.deactivated'],
    'is locked': ['user.locked'],
    'is removed': ['removed'],
    'is locked and removed': ['user.locked', 'removed'],
  })) {
    test(`stays open when an account without proof ${title}`, async ({ assert, client }) => {
      const { email, question } = await aHolder()
      const stranger = anAccount(email)
      await stranger.report(CREATED, { email, ...STRANGER_NAMES })
      for (const step of steps) {
        await (step === 'removed' ? stranger.remove() : stranger.deactivate(step))
        assert.isTrue(await allowed(client, question), step)
      }
      assert.deepInclude(await recordOf(email), { active: true, idpUserId: null, ...NO_NAMES })
    })
  }

  test('stays open before it has rights, too', async ({ assert, client }) => {
    for (const steps of [['user.deactivated'], ['user.locked', 'removed'], ['removed']]) {
      const email = uniqueEmail('victim')
      const stranger = anAccount(email)
      await stranger.report(CREATED, { email, ...STRANGER_NAMES })
      for (const step of steps) {
        await (step === 'removed' ? stranger.remove() : stranger.deactivate(step))
        assert.deepInclude(await recordOf(email), { active: true, idpUserId: null, ...NO_NAMES })
      }
      const { question } = await aHolder()
      const { id: applicationId } = await Application.findByOrFail({ code: question.app })
      await ApplicationAdmin.create({ email, applicationId })
      assert.isTrue(await allowed(client, { ...question, email }))
    }
    const email = uniqueEmail()
    const account = anAccount(email, { isVerified: true })
    await account.report('user.human.added', { email })
    await account.deactivate()
    assert.deepInclude(await recordOf(email), {
      active: false,
      idpUserId: account.id,
      identityVerified: true,
    })
  })

  test('stays open whatever the order of the events', async ({ assert, client }) => {
    const { email, question } = await aHolder()
    const stranger = anAccount(email)
    const created = stranger.next(CREATED, { email, ...STRANGER_NAMES })
    await stranger.deactivate()
    await postProviderEvent(created, { service: service.url })
    assert.isTrue(await allowed(client, question))
    const again = stranger.next('user.locked')
    await Promise.all(
      [created, again].map((event) => postProviderEvent(event, { service: service.url }))
    )
    assert.isTrue(await allowed(client, question))
  })

  test('follows an account whose address the provider has verified', async ({ assert, client }) => {
    const { email, question } = await aHolder()
    const account = anAccount(email, { isVerified: true })
    await account.report('user.human.added', { email, firstName: 'Vera' })
    assert.isTrue(await allowed(client, question))
    await account.deactivate()
    assert.isFalse(await allowed(client, question))
    assert.deepInclude(await recordOf(email), {
      idpUserId: account.id,
      firstName: 'Vera',
      identityVerified: true,
    })
    await account.report('user.reactivated')
    assert.isTrue(await allowed(client, question))
  })

  test('follows the verified account even if another account came first', async ({
    assert,
    client,
  }) => {
    const { email, question } = await aHolder()
    await anAccount(uniqueEmail()).report(CREATED, { email, ...STRANGER_NAMES })
    const account = anAccount(email, { isVerified: true })
    await account.report('user.human.added', { email, firstName: 'Vera' })
    await account.deactivate()
    assert.isFalse(await allowed(client, question))
    assert.deepInclude(await recordOf(email), { idpUserId: account.id, firstName: 'Vera' })
  })

  test('follows the account if another account has the address as well', async ({
    assert,
    client,
  }) => {
    const { email, question } = await aHolder()
    const account = anAccount(email, { isVerified: true })
    await account.report('user.human.added', { email })
    await anAccount(email).report(CREATED, { email, ...STRANGER_NAMES })
    await account.deactivate()
    assert.isFalse(await allowed(client, question))
  })

  test('opens to the account that proves the address later, with the status of that account', async ({
    assert,
    client,
  }) => {
    const { email } = await aHolder()
    const account = anAccount(email)
    await account.report(CREATED, { email })
    await account.deactivate()
    const refused = await visit(client, email, account.id, `${service.url}/api/profile/me/apps`)
    refused.assertProblem(403, 'USER_INACTIVE')
    assert.deepInclude(await recordOf(email), { active: false, idpUserId: account.id })
  })

  test('belongs to the holder who signs in while the provider is asked', async ({
    assert,
    client,
  }) => {
    const [{ email, question }, owner] = [await aHolder(), uniqueId()]
    const stranger = anAccount(email, { isVerified: true })
    await stranger.report(CREATED, { email, ...STRANGER_NAMES })
    api.beforeRead = async () => {
      api.beforeRead = async () => {}
      const response = await visit(client, email, owner, `${service.url}/api/profile/me`)
      response.assertStatus(200)
    }
    await stranger.deactivate()
    assert.isTrue(await allowed(client, question))
    assert.deepInclude(await recordOf(email), { idpUserId: owner, firstName: null })
  })

  test('follows the account until a reconciliation if the provider cannot be asked', async ({
    assert,
  }) => {
    const people = []
    for (const fault of [
      () => api.fault({ at: 'readUser', when: 'before', how: 500 }),
      () => api.fault({ at: 'readUser', when: 'after', how: 'die' }),
      () => api.fault({ at: 'readUser', when: 'before', how: 'hang' }),
      () => void api.denied.add('user.read'),
    ]) {
      const { email } = await aHolder()
      const stranger = anAccount(email)
      await stranger.report(CREATED, { email, ...STRANGER_NAMES })
      fault()
      await stranger.deactivate()
      assert.isFalse((await User.withEmail(email)).active)
      api.fault()
      api.denied.clear()
      people.push(email)
    }
    await db.from('users').whereIn('email', people).update({ idp_org_id: orgId })
    const preview = await reconcile(api, { args: [`--org=${orgId}`, '--dry-run'] })
    for (const email of people) {
      assert.deepEqual(preview.changesOf(email), ['reactivated'])
      assert.isFalse((await User.withEmail(email)).active)
    }
    await reconcile(api, { args: [`--org=${orgId}`] })
    for (const email of people) {
      assert.deepInclude(await recordOf(email), { active: true, idpUserId: null, ...NO_NAMES })
    }
    const again = await reconcile(api, { args: [`--org=${orgId}`] })
    for (const email of people) assert.deepEqual(again.changesOf(email), [])
  })

  test('is opened by a reconciliation if the account is gone', async ({ assert }) => {
    // Someone visible of the organisation, so that the absence of others means something.
    api.addUser({ userId: uniqueId(), orgId })
    const people: string[] = []
    for (const [type, isHolder] of [
      ['user.locked', true],
      ['user.removed', true],
      ['user.locked', false],
      ['user.removed', false],
    ] as const) {
      const email = isHolder ? (await aHolder()).email : uniqueEmail('stranger')
      const account = createProviderUser()
      await account.report(CREATED, { email, ...STRANGER_NAMES })
      await account.report(type)
      const gone = type === 'user.removed' ? {} : { idp_org_id: orgId }
      await db
        .from('users')
        .where({ email })
        .update({ updated_at: '2026-01-01T00:00:00.000Z', ...gone })
      people.push(email)
    }
    const preview = await reconcile(api, { args: ['--dry-run'] })
    for (const email of people) {
      assert.deepEqual(preview.changesOf(email), ['reactivated'])
      assert.isFalse((await User.withEmail(email)).active)
    }
    await reconcile(api, { args: [`--org=${orgId}`] })
    const summary = newRunSummary()
    await openAbandonedRecords({ summary, renewLease: async () => {} })
    for (const email of people) {
      assert.deepInclude(await recordOf(email), { active: true, idpUserId: null, ...NO_NAMES })
    }
  })
})
