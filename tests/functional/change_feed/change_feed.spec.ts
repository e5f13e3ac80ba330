import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import db from '@adonisjs/lucid/services/db'
import { DateTime, Settings } from 'luxon'
import { changeSweeps } from '#core/changes/retention'
import { accessTransaction } from '#core/database/access_transaction'
import { transaction } from '#core/database/transaction'
import { sealEntries } from '#app/audit/actions/seal_entries'
import { clearDecisionsEverywhere, skipLostRevisions } from '#app/checks/actions/clear_decisions'
import { eraseUser } from '#app/identity_provider/user_lifecycle/erase_user'
import { aKeyOf } from '#tests/helpers/application_keys'
import { lifecycleEvent, manageApplication } from '#tests/helpers/management'
import { anApplication, signedIn, superAdmin, uniqueEmail } from '#tests/helpers/people'
import { INTERNAL_KEY, SUPER_ADMIN } from '#tests/world/prepare'

const KEY = { 'x-internal-api-key': INTERNAL_KEY }

async function read(client: ApiClient, query: object) {
  const response = await client.get('/api/internal/changes').qs(query).headers(KEY)
  response.assertStatus(200)
  return response.body().data as { events: any[]; revision: number }
}

/** The revision from which a test starts. */
async function now(client: ApiClient): Promise<number> {
  while (await sealEntries()) continue
  const response = await client
    .get('/api/internal/changes')
    .headers({ ...KEY, accept: 'application/json' })
  response.assertStatus(200)
  return response.body().data.revision
}

/** Every event after a revision, in pages. */
async function readAll(client: ApiClient, after: number, query: object = {}) {
  const events: any[] = []
  for (;;) {
    const page = await read(client, { after, ...query })
    if (page.events.length === 0) return events
    events.push(...page.events)
    after = page.revision
  }
}

const change = (...scopes: object[]) =>
  accessTransaction(async (_, changed) => scopes.forEach((scope) => changed(scope)))

test.group('GET /api/internal/changes as JSON', () => {
  test('tells whoever knows lost revisions that all caches were cleared after a restore', async ({
    client,
    assert,
  }) => {
    const restored = await now(client)
    const lost = 4
    await clearDecisionsEverywhere()
    for (let redone = 0; redone < lost; redone++) await change({ email: uniqueEmail() })
    const events = await readAll(client, restored + lost)
    assert.deepInclude(
      events.map(({ scopes }) => scopes),
      [{}]
    )
  })

  test('uses other revisions if the same backup is restored again', async ({ assert, cleanup }) => {
    cleanup(() => void (Settings.now = () => Date.now()))
    /** The first revision after the caches were cleared at this time. */
    const restoredAt = async (time: number) => {
      Settings.now = () => time
      const trx = await db.transaction()
      await skipLostRevisions(trx)
      const { revision } = await trx.from('change_revisions').firstOrFail()
      await trx.rollback()
      return Number(revision)
    }
    const start = Date.UTC(2100)
    assert.equal(await restoredAt(start), start)
    assert.equal(await restoredAt(start + 60_000), start + 60_000)
  })

  test('lists access changes with their scopes, oldest first', async ({ client, assert }) => {
    const start = await now(client)
    const { code } = await anApplication()
    const shop = manageApplication(client, code)
    const role = await shop.role({ code: 'clerk' })
    const email = uniqueEmail()
    await shop.userRoles(email, [role.id])
    const { events, revision } = await read(client, { after: start })
    const ours = events.map(({ type, scopes }) => ({ type, scopes }))
    assert.deepEqual(ours.at(-1), { type: 'access', scopes: [{ email, application: code }] })
    assert.deepEqual(ours[0].scopes[0], { application: code })
    const revisions = events.map((event) => event.revision)
    assert.deepEqual(
      revisions,
      revisions.toSorted((a, b) => a - b)
    )
    assert.isAtLeast(revision, revisions.at(-1))
    assert.deepEqual((await read(client, { after: revision })).events, [])
  })

  test('pages hold each event once', async ({ client, assert }) => {
    const start = await now(client)
    const emails = Array.from({ length: 7 }, () => uniqueEmail())
    for (const email of emails) await change({ email })
    const events = await readAll(client, start, { limit: 2 })
    assert.deepEqual(
      events.map(({ scopes }) => scopes[0].email),
      emails
    )
  })

  test('users has changes to user records, audit has all entries, each with one revision', async ({
    client,
    assert,
  }) => {
    const start = await now(client)
    const email = uniqueEmail()
    await lifecycleEvent(client, 'user.created', email)
    await lifecycleEvent(client, 'user.deactivated', email)
    const { code } = await anApplication()
    await superAdmin(client).put(`/api/applications/${code}`, { name: 'Renamed' })
    while (await sealEntries()) continue
    const events = await readAll(client, start, { domains: 'access,users,audit', limit: 3 })
    const about = events.filter((event) => event.email === email)
    assert.deepEqual(
      about.map(({ type, action }) => [type, action]),
      [
        ['users', 'user.identity_changed'],
        ['users', 'user.deactivated'],
      ]
    )
    const entries = events.filter(({ type }) => type === 'audit').map(({ entry }) => entry)
    assert.includeMembers(
      entries.map(({ action }) => action),
      ['user.deactivated', 'application.created', 'application.updated']
    )
    const sequences = entries.map(({ sequence }) => sequence)
    assert.deepEqual(
      sequences,
      [...new Set(sequences)].toSorted((a, b) => a - b)
    )
    const kept = await superAdmin(client).get(`/api/admin/audit?application=${code}&limit=1`)
    assert.deepEqual(entries.at(-1), kept.body().data[0])
    const audited = events.find(({ type, entry }) => type === 'audit' && entry.email === email)
    assert.equal(
      about[0].revision,
      events.find(({ entry }) => entry?.id === audited.entry.id).revision
    )
    const users = await readAll(client, start, { domains: 'users', limit: 1 })
    assert.isTrue(users.every(({ type }) => type === 'users'))
    assert.deepInclude(users, about[0])
  })

  test('an erasure removes the address from earlier events and is not named itself', async ({
    client,
    assert,
  }) => {
    const start = await now(client)
    const email = uniqueEmail()
    await lifecycleEvent(client, 'user.created', email)
    await change({ email }, { email: uniqueEmail('other'), application: 'shop' })
    await eraseUser(email, SUPER_ADMIN)
    while (await sealEntries()) continue
    const events = await readAll(client, start, { domains: 'access,users,audit' })
    assert.notInclude(JSON.stringify(events), email)
    assert.isAtLeast(events.filter(({ scopes }) => scopes?.some(isEverything)).length, 2)
    assert.deepInclude(
      events.filter(({ type }) => type === 'users').map(({ action }) => action),
      'user.erased'
    )
  })

  test('a revision that is no longer known, or not yet, returns a reset', async ({
    client,
    assert,
  }) => {
    const start = await now(client)
    await change({ email: uniqueEmail() })
    const future = await read(client, { after: start + 1_000_000 })
    assert.deepEqual(future.events, [{ type: 'reset', revision: future.revision }])

    await db.from('access_changes').update({ at: DateTime.utc(2020).toSQL() })
    for (const sweep of changeSweeps) {
      await transaction((trx) => sweep.deleteExpired(DateTime.utc(), 100_000, trx))
    }
    const past = await read(client, { after: start })
    assert.deepEqual(past.events, [{ type: 'reset', revision: past.revision }])
    assert.isAbove(past.revision, start)
    assert.deepEqual((await read(client, { after: past.revision })).events, [])
  })

  test('domains can be separated by encoded commas', async ({ client, assert }) => {
    const start = await now(client)
    await change({ email: uniqueEmail() })
    for (const list of ['users,access', 'users%2Caccess', 'users&domains=access']) {
      const path = `/api/internal/changes?after=${start}&domains=${list}`
      const response = await client.get(path).headers(KEY)
      assert.lengthOf(response.body().data.events, 1, list)
    }
  })

  test('{field} {value}: refused')
    .with([
      { field: 'after', value: '-1' },
      { field: 'after', value: 'x' },
      { field: 'limit', value: '0' },
      { field: 'limit', value: '201' },
      { field: 'domains', value: 'access,passwords' },
      { field: 'domains', value: ',' },
    ])
    .run(async ({ client, assert }, { field, value }) => {
      const request = client.get('/api/internal/changes').qs({ after: 0, [field]: value })
      const response = await request.headers(KEY)
      response.assertProblem(400, 'VALIDATION_ERROR')
      assert.match(response.body().details.errors[0].field, new RegExp(`^${field}`))
    })

  test('a key of an application does not reach it', async ({ client }) => {
    const { text: secret } = await aKeyOf(await anApplication())
    const response = await client
      .get('/api/internal/changes')
      .qs({ after: 0 })
      .header('x-internal-api-key', secret)
    response.assertProblem(403, 'KEY_NOT_FOR_APPLICATION')
    const own = await signedIn(client, uniqueEmail()).get('/api/internal/changes?after=0')
    own.assertStatus(401)
  })
})

const isEverything = (scope: object) => Object.keys(scope).length === 0
