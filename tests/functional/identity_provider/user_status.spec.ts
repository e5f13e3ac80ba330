import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import { DateTime } from 'luxon'
import AuditEntry from '#app/audit/models/audit_entry'
import SuperAdmin from '#app/permissions/models/super_admin'
import ApplicationPreference from '#app/profiles/models/application_preference'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import User from '#app/profiles/models/user'
import { eventually } from '#tests/helpers/eventually'
import { securityEvents } from '#tests/helpers/log_lines'
import { inPath } from '#tests/helpers/management'
import {
  aSuperAdmin,
  anApplication,
  signedIn,
  superAdmin,
  uniqueEmail,
} from '#tests/helpers/people'
import { eventPosition } from '#app/identity_provider/user_lifecycle/event_position'
import { minutesFromNow, webhook } from '#tests/helpers/profiles'
import { createProviderUser, postProviderEvent, uniqueId } from '#tests/helpers/provider_events'
import { applyLaterList } from '#tests/helpers/reconciliation'
import { sameDatabase } from '#tests/helpers/same_database'
import type { IdentityApi } from '#tests/world/identity_api'
import { subjectOf } from '#tests/world/issuer'
import { SUPER_ADMIN } from '#tests/world/prepare'
import { startProductionService } from '#tests/world/production_service'
import { startProviderService } from '#tests/world/provider_service'
import type { RunningService } from '#tests/world/service'

const pathOf = (email: string) => `/api/users/${inPath(email)}/active`

function setActive(client: ApiClient, email: string, active: unknown) {
  return superAdmin(client).put(pathOf(email), { active })
}

async function isActive(email: string) {
  return (await User.withEmail(email)).active
}

/** Signs in, so that the record is bound. */
async function aPerson(client: ApiClient) {
  const email = uniqueEmail()
  const person = signedIn(client, email)
  const response = await person.get('/api/profile/me')
  response.assertStatus(200)
  return { email, person }
}

/** A user whom the provider reports with signed events. */
async function aReportedPerson() {
  const [account, email] = [createProviderUser(), uniqueEmail()]
  await account.report('user.human.added', { email, firstName: 'Ada', lastName: 'Byron' })
  return { account, email }
}

const later = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString()

test.group('Status of a user: an administrator', () => {
  test('deactivates and reactivates a user', async ({ assert, client }) => {
    const { email, person } = await aPerson(client)
    const deactivated = await setActive(client, email, false)
    deactivated.assertStatus(200)
    assert.containSubset(deactivated.body(), {
      success: true,
      data: { email, active: false, identityProvider: 'not_configured' },
    })
    const refused = await person.get('/api/profile/me/apps')
    refused.assertProblem(403, 'USER_INACTIVE')
    const reactivated = await setActive(client, email, true)
    reactivated.assertStatus(200)
    assert.containSubset(reactivated.body().data, { active: true })
    const admitted = await person.get('/api/profile/me/apps')
    admitted.assertStatus(200)
  })

  test('deactivates a user with the longest possible address', async ({ assert, client }) => {
    const [local, label] = [uniqueEmail().split('@')[0].padEnd(64, 'x'), 'x'.repeat(63)]
    const email = `${local}@${label}.${label}.${'x'.repeat(53)}.example`
    assert.lengthOf(email, 254)
    await ensureUser({ email })
    const response = await setActive(client, email, false)
    response.assertStatus(200)
  })

  test('sees the profile of the user in the response', async ({ assert, client }) => {
    const { email, person } = await aPerson(client)
    const own = await person.put('/api/profile/me', { locale: 'cs', lastName: 'Byron' })
    own.assertStatus(200)
    const user = await User.withEmail(email)
    const { id: applicationId } = await anApplication()
    const at = DateTime.utc()
    await ApplicationPreference.create({
      userId: user.id,
      applicationId,
      showHelp: true,
      notificationsEnabled: true,
      loginCount: 1,
      firstLoginAt: at,
      lastLoginAt: at,
      lastActivityAt: at,
    })
    const response = await setActive(client, email, true)
    const profile = { locale: 'cs', lastName: 'Byron' }
    assert.containSubset(response.body().data, profile)
    assert.isNotNull(response.body().data.lastLoginAt)
    const read = await superAdmin(client).get(`/api/users/${inPath(email)}`)
    assert.containSubset(read.body().data, profile)
  })

  test('can repeat the request', async ({ assert, client }) => {
    const { email } = await aPerson(client)
    for (const active of [false, false, true, true]) {
      const response = await setActive(client, email, active)
      response.assertStatus(200)
      assert.equal(response.body().data.active, active)
    }
  })

  test('must name a known user and a state', async ({ assert, client }) => {
    const unknown = await setActive(client, uniqueEmail(), false)
    unknown.assertProblem(404, 'USER_NOT_FOUND')
    const { email } = await aPerson(client)
    for (const active of [undefined, null, 'false', 0, {}]) {
      const response = await setActive(client, email, active)
      response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'active' }] })
    }
    assert.isTrue(await isActive(email))
  })

  test('must be a super admin', async ({ assert, client }) => {
    const [{ email }, { person }] = [await aPerson(client), await aPerson(client)]
    const response = await person.put(pathOf(email), { active: false })
    response.assertProblem(403, 'FORBIDDEN')
    assert.isTrue(await isActive(email))
  })

  test('writes a security event for each change', async ({ assert, client, cleanup }) => {
    const { email } = await aPerson(client)
    const service = await startProductionService(sameDatabase())
    cleanup(() => void service.stop())
    for (const active of [false, false, true]) {
      await superAdmin(client).put(`${service.url}${pathOf(email)}`, { active })
    }
    const reported = await eventually('both changes are reported', () => {
      const events = securityEvents(service, 'user_status_changed')
      return events.length >= 2 && events
    })
    assert.deepEqual(
      reported.map(({ actor, email: person, active }) => ({ actor, person, active })),
      [false, true].map((active) => ({ actor: SUPER_ADMIN, person: email, active }))
    )
  })
})

test.group('Status of a user: a reactivation', () => {
  test('takes effect after any generic event, and older events are ignored', async ({
    assert,
    client,
  }) => {
    for (const eventType of ['user.deactivated', 'user.removed']) {
      const { email } = await aPerson(client)
      await webhook(client, { eventType, user: { email } })
      assert.isFalse(await isActive(email))
      const response = await setActive(client, email, true)
      assert.isTrue(response.body().data.active)
      const occurredAt = minutesFromNow(-1).iso
      await webhook(client, { eventType: 'user.deactivated', occurredAt, user: { email } })
      assert.isTrue(await isActive(email))
      const again = later(0)
      await webhook(client, { eventType: 'user.deactivated', occurredAt: again, user: { email } })
      assert.isFalse(await isActive(email))
    }
  })

  test('who repeats that someone is active hides no deactivation', async ({ assert, client }) => {
    const { email } = await aPerson(client)
    await setActive(client, email, true)
    const occurredAt = minutesFromNow(-1).iso
    await webhook(client, { eventType: 'user.deactivated', occurredAt, user: { email } })
    assert.isFalse(await isActive(email))

    const { account, email: reported } = await aReportedPerson()
    const late = account.next('user.deactivated')
    await setActive(client, reported, true)
    await postProviderEvent(late)
    assert.isFalse(await isActive(reported))
  })

  test('from a process whose clock is ahead does not hide a deactivation', async ({
    assert,
    client,
  }) => {
    const { email } = await aPerson(client)
    const recordReactivation = async (minutes: number) => {
      const statusEventAt = eventPosition(minutesFromNow(minutes).iso, '0', { hours: 1 })
      await User.query().where({ email }).update({ active: true, status_event_at: statusEventAt })
    }
    const report = (eventType: string, minutes: number) =>
      webhook(client, { eventType, occurredAt: minutesFromNow(minutes).iso, user: { email } })

    // The clock of this process is right, then behind.
    for (const [recordedAt, occurredAt] of [
      [30, -1],
      [1, 2],
    ]) {
      await recordReactivation(recordedAt)
      await report('user.deactivated', occurredAt)
      assert.isFalse(await isActive(email))
      await report('user.reactivated', occurredAt)
      assert.isFalse(await isActive(email), 'only a deactivation is certain to count')
    }
    await recordReactivation(-1)
    await report('user.deactivated', -2)
    assert.isTrue(await isActive(email), 'both times have passed')
  })

  test('lets the next account have a released record', async ({ assert, client }) => {
    const { email, person } = await aPerson(client)
    await webhook(client, { eventType: 'user.removed', user: { email, id: subjectOf(email) } })
    const response = await setActive(client, email, true)
    assert.containSubset(response.body().data, {
      active: true,
      idpUserId: null,
      identityProvider: 'not_bound',
    })
    const removed = await person.get('/api/profile/me/apps')
    removed.assertProblem(403, 'IDENTITY_CONFLICT')
    const next = signedIn(client, email, { claims: { sub: uniqueId() } })
    const admitted = await next.get('/api/profile/me/apps')
    admitted.assertStatus(200)
  })

  test('persists after signed events, until a later one deactivates', async ({
    assert,
    client,
  }) => {
    for (const type of ['user.deactivated', 'user.locked']) {
      const { account, email } = await aReportedPerson()
      const late = account.next('user.deactivated')
      await account.report(type)
      assert.isFalse(await isActive(email))
      await setActive(client, email, true)
      assert.isTrue(await isActive(email))
      await postProviderEvent(late)
      await account.report('user.human.profile.changed', { firstName: 'Augusta' })
      assert.isTrue(await isActive(email))
      await postProviderEvent({ ...account.next('user.deactivated'), created_at: later(1) })
      assert.isFalse(await isActive(email))
    }
  })

  test("persists even if the provider's clock is ahead", async ({ assert, client }) => {
    const { account, email } = await aReportedPerson()
    await postProviderEvent({ ...account.next('user.deactivated'), created_at: later(120) })
    await setActive(client, email, true)
    await account.report('user.human.profile.changed', { firstName: 'Augusta' })
    assert.isTrue(await isActive(email))
  })

  test('releases the record of an address that its account has left', async ({
    assert,
    client,
  }) => {
    const { account, email } = await aReportedPerson()
    await signedIn(client, email, { claims: { sub: account.id } }).get('/api/profile/me')
    await account.report('user.human.email.changed', { email: uniqueEmail() })
    assert.isFalse(await isActive(email))
    const response = await setActive(client, email, true)
    assert.containSubset(response.body().data, { active: true, idpUserId: null })
    await account.report('user.human.profile.changed', { firstName: 'Augusta' })
    assert.isTrue(await isActive(email))
  })

  test('does not reach a removed account', async ({ assert, client }) => {
    const { account, email } = await aReportedPerson()
    await account.report('user.removed')
    await setActive(client, email, true)
    await postProviderEvent({ ...account.next('user.removed'), created_at: later(1) })
    const user = await User.withEmail(email)
    assert.isTrue(user.active)
    assert.isNull(user.idpUserId)
  })
})

test.group('Status of a user: a deactivation', () => {
  test('persists until a later event reactivates', async ({ assert, client }) => {
    const { account, email } = await aReportedPerson()
    await signedIn(client, email, { claims: { sub: account.id } }).get('/api/profile/me')
    const late = account.next('user.reactivated')
    await setActive(client, email, false)
    await postProviderEvent(late)
    await account.report('user.human.profile.changed', { firstName: 'Augusta' })
    assert.isFalse(await isActive(email))
    await postProviderEvent({ ...account.next('user.reactivated'), created_at: later(1) })
    assert.isTrue(await isActive(email))
  })

  test('persists despite a list of the provider, also at another address', async ({
    assert,
    client,
  }) => {
    const { account, email } = await aReportedPerson()
    const other = uniqueEmail()
    await setActive(client, email, false)
    await applyLaterList(account.id, email)
    await applyLaterList(account.id, other)
    assert.isFalse(await isActive(email))
    assert.isFalse(await isActive(other))
    const { id: sub } = account
    const visit = await signedIn(client, other, { claims: { sub } }).get('/api/profile/me/apps')
    visit.assertProblem(403, 'USER_INACTIVE')

    await postProviderEvent({ ...account.next('user.reactivated'), created_at: later(1) })
    assert.isTrue(await isActive(other))
  })

  test('no longer counts once the provider deactivates as well', async ({ assert, client }) => {
    const { account, email } = await aReportedPerson()
    const other = uniqueEmail()
    await setActive(client, email, false)
    await postProviderEvent({ ...account.next('user.deactivated'), created_at: later(1) })
    await applyLaterList(account.id, other)
    assert.isTrue(await isActive(other))
  })

  test('of oneself is refused', async ({ assert, client, cleanup }) => {
    const email = await aSuperAdmin(cleanup)
    const response = await signedIn(client, email).put(pathOf(email), { active: false })
    response.assertProblem(409, 'OWN_SUPER_ADMIN')
    assert.isTrue(await isActive(email))
    const other = await setActive(client, email, false)
    other.assertStatus(200)
  })

  test('never leaves the platform without an active super admin', async ({
    assert,
    client,
    cleanup,
  }) => {
    const usual = (await SuperAdmin.query().orderBy('id')).map(({ email }) => email)
    const replace = async (emails: string[]) => {
      await SuperAdmin.query().delete()
      await SuperAdmin.createMany(emails.map((email) => ({ email })))
    }
    cleanup(() => replace(usual))
    for (let round = 0; round < 4; round++) {
      const people = [await aPerson(client), await aPerson(client)]
      const [first, second] = people.map(({ email }) => email)
      await replace([first, second])
      const responses = await Promise.all([
        people[0].person.put(pathOf(second), { active: false }),
        round % 2 === 0
          ? people[1].person.put(pathOf(first), { active: false })
          : people[1].person.delete(`/api/users/admins/${first}`),
      ])
      const statuses = responses.map((response) => response.status()).sort()
      assert.oneOf(statuses.join(' '), ['200 409', '200 403', '204 409', '204 403'])
      const remaining = await SuperAdmin.query().whereNotIn('email', (inactive) =>
        inactive.from('users').where('active', false).select('email')
      )
      assert.lengthOf(remaining, 1)
    }
  })
})

test.group('Status of a user at the identity provider', (group) => {
  let api: IdentityApi
  let service: RunningService

  group.setup(async () => {
    const started = await startProviderService()
    ;({ api, service } = started)
    return started.stop
  })
  group.each.setup(() => {
    api.fault()
    api.refusal = undefined
    api.denied.clear()
  })

  async function anAccount(client: ApiClient) {
    const { email } = await aPerson(client)
    const user = api.addUser({ userId: subjectOf(email), email })
    const change = (active: boolean) =>
      superAdmin(client).put(`${service.url}${pathOf(email)}`, { active })
    return { email, user, change }
  }

  test('follows the status here', async ({ assert, client }) => {
    const { user, change } = await anAccount(client)
    for (const [active, state] of [
      [false, 'INACTIVE'],
      [false, 'INACTIVE'],
      [true, 'ACTIVE'],
      [true, 'ACTIVE'],
    ] as const) {
      const response = await change(active)
      response.assertStatus(200)
      assert.equal(response.body().data.identityProvider, 'changed')
      assert.equal(user.state, state)
    }
  })

  test('is unlocked by a reactivation', async ({ assert, client }) => {
    const { user, change } = await anAccount(client)
    user.state = 'LOCKED'
    await change(true)
    assert.equal(user.state, 'ACTIVE')
  })

  test('leaves one audit entry for each change', async ({ assert, client }) => {
    const { email, user, change } = await anAccount(client)
    const entries = async () => {
      const found = await AuditEntry.query().where({ email }).orderBy('id')
      return found.map(({ action, stateAfter }) => [action, JSON.parse(stateAfter!)])
    }
    const known = await entries()
    await change(true)
    assert.deepEqual(await entries(), known)

    user.state = 'INACTIVE'
    await change(true)
    await change(true)
    const reactivated = ['user.account_status_changed', { accountActive: true }]
    assert.deepEqual((await entries()).slice(known.length), [reactivated])

    user.state = 'LOCKED'
    api.fault({ at: 'unlockUser', when: 'after', how: 'empty' })
    await change(true)
    assert.isTrue(api.faultHappened)
    assert.deepEqual((await entries()).slice(known.length), [reactivated, reactivated])

    await change(false)
    user.state = 'ACTIVE'
    await change(false)
    await change(false)
    api.refusal = { status: 500, code: 13, message: 'no' }
    await change(false)
    await change(true)
    assert.deepEqual((await entries()).slice(known.length + 2), [
      ['user.deactivated', { active: false }],
      ['user.account_status_changed', { accountActive: false }],
      ['user.account_status_changed', { accountActive: 'unconfirmed' }],
      ['user.account_status_changed', { accountActive: 'unconfirmed' }],
    ])

    const recorded = await entries()
    api.refusal = { status: 400, code: 3, message: 'no' }
    await change(true)
    assert.deepEqual(await entries(), recorded)
  })

  test('is not reactivated by its own user', async ({ assert, client, cleanup }) => {
    const email = await aSuperAdmin(cleanup)
    const own = signedIn(client, email)
    await own.get('/api/profile/me')
    const user = api.addUser({ userId: subjectOf(email), email })
    user.state = 'INACTIVE'
    const response = await own.put(`${service.url}${pathOf(email)}`, { active: true })
    assert.equal(response.body().data.identityProvider, 'not_permitted')
    assert.equal(user.state, 'INACTIVE')
  })

  test('is not reactivated or unlocked while it has only reserved the record', async ({
    assert,
    client,
  }) => {
    for (const [type, state] of [
      ['user.deactivated', 'INACTIVE'],
      ['user.locked', 'LOCKED'],
    ] as const) {
      const { account, email } = await aReportedPerson()
      const user = api.addUser({ userId: account.id, email, isVerified: false, state })
      await account.report(type)
      const change = (active: boolean) =>
        superAdmin(client).put(`${service.url}${pathOf(email)}`, { active })
      const reserved = await change(true)
      reserved.assertStatus(200)
      const { data } = reserved.body()
      assert.containSubset(data, { active: true, identityProvider: 'not_proved' })
      assert.equal(user.state, state)
      const person = signedIn(client, email, { claims: { sub: account.id } })
      const proved = await person.get('/api/profile/me')
      proved.assertStatus(200)
      const bound = await change(true)
      assert.equal(bound.body().data.identityProvider, 'changed')
      assert.equal(user.state, 'ACTIVE')
    }
  })

  test('is deactivated even if it has only reserved the record', async ({ assert, client }) => {
    const { account, email } = await aReportedPerson()
    const user = api.addUser({ userId: account.id, email, isVerified: false })
    const path = `${service.url}${pathOf(email)}`
    const response = await superAdmin(client).put(path, { active: false })
    response.assertStatus(200)
    const { data } = response.body()
    assert.containSubset(data, { active: false, identityProvider: 'changed' })
    assert.equal(user.state, 'INACTIVE')
  })

  test('changes only here without the permission or the account, which the response states', async ({
    assert,
    client,
  }) => {
    const { email, user, change } = await anAccount(client)
    api.denied.add('user.write')
    const denied = await change(false)
    denied.assertStatus(200)
    assert.containSubset(denied.body().data, { active: false, identityProvider: 'not_permitted' })
    assert.equal(user.state, 'ACTIVE')
    api.denied.clear()
    api.state.users.delete(subjectOf(email))
    const missing = await change(true)
    assert.containSubset(missing.body().data, { active: true, identityProvider: 'not_found' })
  })

  test('refuses the change, so the user stays inactive here', async ({ assert, client }) => {
    for (const refusal of [
      { status: 400, code: 3, message: 'no' },
      { status: 500, code: 13, message: 'no' },
    ]) {
      const { email, change } = await anAccount(client)
      api.refusal = refusal
      const deactivation = await change(false)
      deactivation.assertProblem(502, 'UPSTREAM_UNREACHABLE', { deactivated: true })
      assert.isFalse(await isActive(email))
      const reactivation = await change(true)
      reactivation.assertProblem(502, 'UPSTREAM_UNREACHABLE', { deactivated: false })
      assert.isFalse(await isActive(email))
      api.refusal = undefined
      const repeated = await change(true)
      repeated.assertStatus(200)
      assert.isTrue(await isActive(email))
    }
  })

  const MEANWHILE = {
    'a signed deactivation': (email: string) => report(email, 'user.deactivated'),
    'a signed removal': (email: string) => report(email, 'user.removed'),
    'a deactivation by address': (email: string, client: ApiClient) =>
      webhook(client, { eventType: 'user.deactivated', user: { email } }),
  }
  const report = (email: string, type: string) =>
    postProviderEvent({
      ...createProviderUser(subjectOf(email)).next(type),
      created_at: later(1),
    })

  for (const [title, happen] of Object.entries(MEANWHILE)) {
    test(`is notified of a reactivation, which ${title} then invalidates`, async ({
      assert,
      client,
    }) => {
      const { email, change } = await anAccount(client)
      await change(false)
      api.beforeWrite = async () => {
        api.beforeWrite = async () => {}
        await happen(email, client)
      }
      const response = await change(true)
      response.assertProblem(409, 'STATUS_CHANGED')
      assert.isFalse(await isActive(email))
      const action = 'user.account_status_changed'
      const entry = await AuditEntry.query().where({ email, action }).firstOrFail()
      assert.deepEqual(JSON.parse(entry.stateAfter!), { accountActive: true })
      // The state is known now, so the decision can be made again.
      const repeated = await change(true)
      repeated.assertStatus(200)
    })
  }

  test('is notified of one decision at a time', async ({ assert, client }) => {
    const { email, user, change } = await anAccount(client)
    await change(false)
    let deactivation: ReturnType<typeof change> | undefined
    api.beforeWrite = async () => {
      api.beforeWrite = async () => {}
      deactivation = change(false)
    }
    const reactivation = await change(true)
    reactivation.assertStatus(200)
    const last = await deactivation!
    last.assertStatus(200)
    assert.isFalse(await isActive(email))
    assert.equal(user.state, 'INACTIVE')
  })
})
