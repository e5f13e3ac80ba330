import { once } from 'node:events'
import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import db from '@adonisjs/lucid/services/db'
import { RetentionSource } from '#core/retention/retention_source'
import AuditEntry from '#app/audit/models/audit_entry'
import { identityProviderSweeps } from '#app/identity_provider/retention'
import { eventually } from '#tests/helpers/eventually'
import { inPath } from '#tests/helpers/management'
import { signedIn, superAdmin, uniqueEmail } from '#tests/helpers/people'
import { LONG_AGO } from '#tests/helpers/provider_hook'
import { subjectOf } from '#tests/world/issuer'
import { SUPER_ADMIN } from '#tests/world/prepare'
import { startProviderService } from '#tests/world/provider_service'

type Cleanup = (callback: () => void) => void

const begun = () => db.from('begun_provider_changes')

/** Does what a process does some minutes after another one died. */
async function sweep() {
  await begun().update({ begun_at: LONG_AGO.toSQL() })
  const source = new RetentionSource(identityProviderSweeps)
  while (await source.work(new AbortController().signal)) continue
}

/** A user whose account the provider has locked, and a request that would unlock it. */
async function aLockedAccount(client: ApiClient, cleanup: Cleanup) {
  const { api, service, stop } = await startProviderService()
  cleanup(() => void stop())
  const email = uniqueEmail()
  await signedIn(client, email).get('/api/profile/me')
  const user = api.addUser({ userId: subjectOf(email), email, state: 'LOCKED' })
  const path = `${service.url}/api/users/${inPath(email)}/active`
  const unlock = () => superAdmin(client).put(path, { active: true })
  /** Erases someone while the provider unlocks the account. */
  const unlockDuringErasureOf = async (erased: string) => {
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
    const { promise: erasureEnded, resolve: goOn } = Promise.withResolvers<void>()
    api.beforeWrite = () => {
      arrive()
      return erasureEnded
    }
    const request = unlock()
    await Promise.race([arrived, request])
    const erasure = await superAdmin(client).delete(`/api/users/${inPath(erased)}`)
    erasure.assertStatus(204)
    goOn()
    return request
  }
  return { api, service, email, user, unlock, unlockDuringErasureOf }
}

const entriesAbout = (email: string) =>
  AuditEntry.query().where({ email, action: 'user.account_status_changed' })

test.group('A change at the identity provider', () => {
  test('is recorded even if its process dies before the response', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { api, service, email, user, unlock } = await aLockedAccount(client, cleanup)
    api.fault({ at: 'unlockUser', when: 'after', how: 'hang' })
    const request = unlock().then(
      () => 'a response',
      () => 'no response'
    )
    await eventually('the account is unlocked', () => user.state === 'ACTIVE')
    service.process.kill('SIGKILL')
    await once(service.process, 'exit')
    assert.equal(await request, 'no response')
    assert.isEmpty(await entriesAbout(email))
    await sweep()
    const [entry, ...others] = await entriesAbout(email)
    assert.isEmpty(others)
    assert.deepEqual([entry.actorEmail, entry.targetId], [SUPER_ADMIN, email])
    assert.deepEqual(JSON.parse(entry.stateAfter!), { accountActive: 'unconfirmed' })
    assert.isEmpty(await begun())
  }).timeout(60_000)

  test('is recorded under a pseudonym if the user is erased meanwhile', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { email, unlockDuringErasureOf } = await aLockedAccount(client, cleanup)
    const response = await unlockDuringErasureOf(email)
    response.assertProblem(404, 'USER_NOT_FOUND')
    const named = await db
      .from('audit_entries')
      .where({ email })
      .orWhere('target_id', email)
      .orWhere('target_label', email)
      .orWhere('state_before', 'like', `%${email}%`)
    assert.isEmpty(named)
    assert.isEmpty(await begun())
    const newest = await AuditEntry.query().orderBy('id', 'desc').limit(10)
    const unconfirmed = newest.filter(({ action }) => action === 'user.account_status_changed')
    assert.isTrue(unconfirmed.some(({ email: pseudonym }) => pseudonym?.startsWith('erased-')))
  }).timeout(60_000)

  test('is recorded as confirmed although someone with the end of the address is erased', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { email, unlockDuringErasureOf } = await aLockedAccount(client, cleanup)
    const short = email.slice(email.indexOf('-') + 1)
    await signedIn(client, short).get('/api/profile/me')
    const response = await unlockDuringErasureOf(short)
    response.assertStatus(200)
    const entries = await entriesAbout(email)
    assert.deepEqual(
      entries.map(({ stateAfter }) => JSON.parse(stateAfter!)),
      [{ accountActive: true }]
    )
  }).timeout(60_000)

  test('leaves nothing behind once it is recorded or refused', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { api, email, user, unlock } = await aLockedAccount(client, cleanup)
    const attempts = [
      () => (user.state = 'LOCKED'),
      () => (user.state = 'ACTIVE'),
      () => (api.refusal = { status: 400, code: 3, message: 'no' }),
      () => (api.refusal = { status: 500, code: 13, message: 'no' }),
    ]
    for (const prepare of attempts) {
      prepare()
      await unlock()
      assert.isEmpty(await begun())
    }
    assert.lengthOf(await entriesAbout(email), 2)
  }).timeout(60_000)
})
