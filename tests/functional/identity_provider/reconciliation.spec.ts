import { test } from '@japa/runner'
import { DateTime } from 'luxon'
import User from '#app/profiles/models/user'
import { uniqueEmail } from '#tests/helpers/people'
import { postProviderEvent, uniqueId } from '#tests/helpers/provider_events'
import { aPerson, aRecord, userRecordOf, reconcile } from '#tests/helpers/reconciliation'
import { IdentityApi } from '#tests/world/identity_api'

let api: IdentityApi
/** Every stand-in has the same ids, unlike the tests' records. */
let orgId: string

const here = (...more: string[]) => ({ args: [`--org=${orgId}`, ...more] })
const aUser = (fields: Parameters<IdentityApi['addUser']>[0] = {}) =>
  api.addUser({ userId: uniqueId(), orgId, ...fields })
const person = (
  user: Parameters<typeof aPerson>[1] = {},
  record: Parameters<typeof aPerson>[2] = {}
) => aPerson(api, { userId: uniqueId(), orgId, ...user }, record)

test.group('Reconciliation', (group) => {
  group.each.setup(async () => {
    api = await new IdentityApi().start()
    orgId = uniqueId()
    return () => api.stop()
  })

  test('updates who is active, after reporting it in a dry run', async ({ assert }) => {
    const people: [string, string, boolean][] = []
    for (const state of ['ACTIVE', 'INITIAL', 'INACTIVE', 'LOCKED', 'DELETED'] as const) {
      for (const active of [true, false]) {
        const { email } = await person({ state }, { active })
        people.push([email, state, active])
      }
    }
    const isActive = (state: string) => state === 'ACTIVE' || state === 'INITIAL'
    const others = [await person(), await person()]
    const before = await User.query().where('idpOrgId', orgId).orderBy('id')

    const preview = await reconcile(api, here('--dry-run'))
    const unchanged = await User.query().where('idpOrgId', orgId).orderBy('id')
    assert.deepEqual(
      unchanged.map((user) => user.serialize()),
      before.map((user) => user.serialize())
    )
    const run = await reconcile(api, here())
    assert.containSubset(preview.result, { done: true, dryRun: true })
    assert.containSubset(run.result, { done: true, dryRun: false, read: 10 })
    assert.deepEqual(preview.result.changes, run.result.changes)
    for (const [email, state, wasActive] of people) {
      const said = { true: ['reactivated'], false: ['deactivated'] }[String(isActive(state))]
      assert.deepEqual(run.changesOf(email), isActive(state) === wasActive ? [] : said, state)
      assert.equal((await userRecordOf(email)).active, isActive(state), state)
    }
    for (const { email } of others) assert.deepEqual(run.changesOf(email), [])
    assert.equal(run.code, 0)

    const again = await reconcile(api, here())
    assert.deepEqual(again.result.changes, [])
  })

  test('applies later names and ignores older ones', async ({ assert }) => {
    const profile = { givenName: 'Ada', familyName: 'King', displayName: 'Ada\r\nKing' }
    const changeDate = '2026-03-01T12:00:00.123456789Z'
    const newer = await person({ profile, changeDate })
    const older = await person({ profile, changeDate })
    const user = await User.withEmail(older.email)
    const changedAt = DateTime.fromISO('2026-03-01T12:00:01Z')
    await user.merge({ namesChangedAt: changedAt, firstNameChangedAt: changedAt }).save()
    await user.merge({ lastNameChangedAt: changedAt, displayNameChangedAt: changedAt }).save()

    const { changesOf } = await reconcile(api, here())
    assert.deepEqual(changesOf(newer.email), ['renamed'])
    assert.containSubset(await userRecordOf(newer.email), {
      firstName: 'Ada',
      lastName: 'King',
      displayName: 'Ada King',
    })
    assert.deepEqual(changesOf(older.email), [])
    assert.containSubset(await userRecordOf(older.email), { firstName: 'Old', lastName: 'Name' })
  })

  test('binds an unbound record only to the one verified user with its address', async ({
    assert,
  }) => {
    const [single, shared, unverified, left] = await Promise.all([
      aRecord(),
      aRecord(),
      aRecord(),
      aRecord({ active: false }),
    ])
    const { userId } = aUser({ email: single })
    aUser({ email: shared, state: 'INACTIVE' })
    api.addUser({ email: shared.toUpperCase() })
    aUser({ email: unverified, isVerified: false, state: 'INACTIVE' })
    aUser({ email: left })
    const { changesOf, result } = await reconcile(api, here())
    assert.include(changesOf(single), 'identified')
    assert.containSubset(await userRecordOf(single), { idpUserId: userId, idpOrgId: orgId })
    for (const email of [shared, unverified]) {
      assert.containSubset(await userRecordOf(email), { active: true, idpUserId: null })
    }
    assert.containSubset(await userRecordOf(left), { active: false, idpUserId: null })
    assert.deepEqual(result.skipped, { unclear: 2, unseen: 0 })
  })

  test('does not take a record from another account with the same address', async ({ assert }) => {
    const { email, stored } = await person()
    aUser({
      email,
      state: 'INACTIVE',
      profile: { givenName: 'Eve', displayName: 'Eve' },
      changeDate: new Date().toISOString(),
    })
    const departed = await person({ state: 'INACTIVE' }, { active: false })
    aUser({ email: departed.email })
    const { result } = await reconcile(api, here())
    assert.deepEqual(result.changes, [])
    assert.containSubset(await userRecordOf(email), {
      active: true,
      idpUserId: stored.userId,
      firstName: 'Old',
    })
    assert.containSubset(await userRecordOf(departed.email), {
      active: false,
      idpUserId: departed.stored.userId,
    })
  })

  test('closes the record of an address that its user left', async ({ assert }) => {
    const [moved, taken] = [uniqueEmail(), uniqueEmail()]
    const first = await person({ email: moved }, { email: uniqueEmail() })
    const other = await person({ email: taken })
    const second = await person({ email: taken }, { email: uniqueEmail() })
    await reconcile(api, here())
    assert.isFalse((await userRecordOf(first.email)).active)
    assert.containSubset(await userRecordOf(moved), {
      active: true,
      idpUserId: first.stored.userId,
    })
    assert.isFalse((await userRecordOf(second.email)).active)
    assert.containSubset(await userRecordOf(taken), {
      active: true,
      idpUserId: other.stored.userId,
    })
  })

  test('creates records only for users whom checks must deny', async ({ assert }) => {
    const [inactive, active, shared] = [uniqueEmail(), uniqueEmail(), uniqueEmail()]
    aUser({ email: inactive, state: 'LOCKED' })
    aUser({ email: active })
    aUser({ email: shared, state: 'LOCKED' })
    api.addUser({ email: shared })
    const { changesOf } = await reconcile(api, here())
    assert.includeMembers(changesOf(inactive), ['recorded', 'deactivated'])
    assert.isFalse((await userRecordOf(inactive)).active)
    assert.lengthOf(await User.query().whereIn('email', [active, shared]), 0)
  })

  test('closes records of missing users in organisations that are visible', async ({ assert }) => {
    const elsewhere = uniqueId()
    await person()
    const gone = await aRecord({ idpUserId: uniqueId(), idpOrgId: orgId })
    const recent = await aRecord({ idpUserId: uniqueId(), idpOrgId: orgId })
    await (await User.withEmail(recent)).merge({ timezone: 'Europe/Prague' }).save()
    const hidden = await aRecord({ idpUserId: uniqueId(), idpOrgId: elsewhere })
    const ofNoOrganisation = await aRecord({ idpUserId: uniqueId() })
    const noId = await aRecord({ idpUserId: '../..', idpOrgId: orgId })
    const preview = await reconcile(api, { args: ['--dry-run'] })
    assert.deepEqual(preview.changesOf(gone), ['deactivated'])
    assert.isTrue((await userRecordOf(gone)).active)
    // Only for this organisation, because other tests' users are unknown to this provider.
    const run = await reconcile(api, here())
    assert.deepEqual(run.result.changes, [{ email: gone, change: 'deactivated' }])
    assert.isFalse((await userRecordOf(gone)).active)
    for (const email of [recent, hidden, ofNoOrganisation, noId]) {
      assert.deepEqual(preview.changesOf(email), [])
      assert.isTrue((await userRecordOf(email)).active)
    }
    assert.isAtLeast(preview.result.skipped.unseen, 2)
  })

  test('ignores a list that lags behind an event', async ({ assert }) => {
    const creationDate = '2026-03-01T00:00:00Z'
    const locked = await person({ creationDate })
    const unlocked = await person({ creationDate, state: 'LOCKED' }, { active: false })
    const stale = await person({ creationDate })
    const event = { created_at: new Date().toISOString(), resourceOwner: orgId }
    const lockedEvent = { ...event, event_type: 'user.locked' }
    await postProviderEvent({ ...lockedEvent, aggregateID: locked.stored.userId })
    await postProviderEvent({
      ...event,
      aggregateID: unlocked.stored.userId,
      event_type: 'user.unlocked',
    })
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString()
    await postProviderEvent({
      ...lockedEvent,
      aggregateID: stale.stored.userId,
      created_at: hourAgo,
    })
    const { result } = await reconcile(api, here())
    assert.deepEqual(result.changes, [{ email: stale.email, change: 'reactivated' }])
    assert.isFalse((await userRecordOf(locked.email)).active)
    assert.isTrue((await userRecordOf(unlocked.email)).active)
  })

  test('reads all pages, each user once', async ({ assert }) => {
    const wrong: string[] = []
    for (let number = 0; number < 260; number++) {
      const creationDate = new Date(Date.UTC(2026, 0, 1) + number).toISOString()
      if (number % 20 !== 0) aUser({ creationDate })
      else wrong.push((await person({ creationDate, state: 'INACTIVE' })).email)
    }
    const { result } = await reconcile(api, here())
    assert.equal(result.read, 260)
    const changes = wrong.map((email) => ({ email, change: 'deactivated' }))
    assert.sameDeepMembers(result.changes, changes)
    for (const email of wrong) assert.isFalse((await userRecordOf(email)).active)
  })
})
