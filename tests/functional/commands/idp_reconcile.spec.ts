import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import { createPermission } from '#app/permissions/actions/create_permission'
import { startAce } from '#tests/helpers/ace'
import { eventually } from '#tests/helpers/eventually'
import { anAdministratorOf, anApplication } from '#tests/helpers/people'
import { uniqueId } from '#tests/helpers/provider_events'
import { aPerson, aRecord, userRecordOf, reconcile } from '#tests/helpers/reconciliation'
import { remote } from '#tests/helpers/remote'
import { sameDatabase } from '#tests/helpers/same_database'
import { IdentityApi } from '#tests/world/identity_api'
import { startService } from '#tests/world/service'

let api: IdentityApi
let orgId: string

const here = (...more: string[]) => ({ args: [`--org=${orgId}`, ...more] })
const person = (
  user: Parameters<typeof aPerson>[1] = {},
  record: Parameters<typeof aPerson>[2] = {}
) => aPerson(api, { userId: uniqueId(), orgId, ...user }, record)

/** Holds the lease of a run, as another process does. */
async function aRunInProgress(secondsLeft: number) {
  const heldUntil = toDatabaseTimestamp(DateTime.utc().plus({ seconds: secondsLeft }))
  await db.table('provider_leases').insert({
    name: 'reconciliation',
    holder: 'another process',
    held_until: heldUntil,
  })
}

const forgetLeases = async () => {
  await db.from('provider_leases').whereLike('name', '%reconciliation').delete()
}

test.group('idp:reconcile', (group) => {
  group.each.setup(async () => {
    api = await new IdentityApi().start()
    orgId = uniqueId()
    await forgetLeases()
    return async () => {
      await api.stop()
      await forgetLeases()
    }
  })

  test('reports completed changes when interrupted at any call', async ({ assert }) => {
    for (let call = 1; ; call++) {
      orgId = uniqueId()
      const right = await person()
      const wrong = await person({ state: 'LOCKED' })
      const gone = await aRecord({ idpUserId: uniqueId(), idpOrgId: orgId })
      api.fault({ at: call, when: 'before', how: call % 2 === 0 ? 'die' : 503 })
      const { code, result } = await reconcile(api, here())
      assert.isTrue((await userRecordOf(right.email)).active)
      for (const { email } of [wrong, { email: gone }]) {
        const isSaid = result.changes.some((change: { email: string }) => change.email === email)
        assert.equal((await userRecordOf(email)).active, !isSaid, `cut off at call ${call}`)
      }
      if (api.faultHappened) {
        assert.equal(code, 1)
        assert.containSubset(result, { done: false, error: { code: 'UPSTREAM_UNREACHABLE' } })
        api.fault()
        continue
      }
      assert.isAbove(call, 4)
      assert.deepEqual([code, result.done, result.changes.length >= 2], [0, true, true])
      break
    }
  }).timeout(120_000)

  test('runs one at a time and takes over from a dead process', async ({ assert }) => {
    const { email } = await person({ state: 'INACTIVE' })
    await aRunInProgress(20)
    const refused = await reconcile(api, here())
    assert.equal(refused.code, 1)
    assert.containSubset(refused.result, {
      done: false,
      read: 0,
      error: { code: 'ALREADY_AT_WORK' },
    })
    assert.isTrue((await userRecordOf(email)).active)

    await forgetLeases()
    await aRunInProgress(-1)
    const runs = await Promise.all([reconcile(api, here()), reconcile(api, here())])
    assert.includeMembers(
      runs.map(({ code }) => code),
      [0]
    )
    for (const { code, result } of runs) {
      if (code !== 0) assert.equal(result.error.code, 'ALREADY_AT_WORK')
    }
    const told = runs.flatMap(({ changesOf }) => changesOf(email))
    assert.deepEqual(told, ['deactivated'])
    assert.isFalse((await userRecordOf(email)).active)
  })

  test('exits with 2 and names the setting to fix', async ({ assert }) => {
    const unset = await reconcile(api, { settings: { IDP_SERVICE_ACCOUNT_TOKEN: '' } })
    assert.equal(unset.code, 2)
    assert.equal(unset.result.error.code, 'SERVICE_ACCOUNT_NOT_CONFIGURED')
    api.denied.add('user.read')
    const denied = await reconcile(api, here())
    assert.equal(denied.code, 2)
    assert.containSubset(denied.result.error, { details: { permission: 'user.read' } })
    const usage = await reconcile(api, { args: ['--org=shop'] })
    assert.deepEqual([usage.code, usage.result.error.code], [2, 'USAGE'])
  })

  test('prints readable messages without stack traces', async ({ assert }) => {
    const { email } = await person({ state: 'LOCKED' })
    const account = { IDP_SERVICE_ACCOUNT_TOKEN: api.personalToken }
    const run = async (url: string) => {
      const args = ['idp:reconcile', '--dry-run', `--org=${orgId}`]
      const { stdout, stderr, code } = await startAce(args, { ...account, IDP_API_URL: url })
        .finished
      return { code, output: stdout + stderr }
    }
    const done = await run(api.url)
    assert.equal(done.code, 0)
    assert.include(done.output, `deactivated ${email}`)
    assert.include(done.output, '1 users read, 1 changes would be made')
    const down = await run('http://127.0.0.1:1')
    assert.equal(down.code, 1)
    assert.match(down.output, /could not be reached .*UPSTREAM_UNREACHABLE/)
    assert.notMatch(down.output, /\n\s+at /)
  })

  test('checks deny users whom a scheduled run deactivated', async ({ assert, cleanup }) => {
    const application = await anApplication()
    await createPermission(application.code, { code: 'orders', type: 'tiered' })
    const admin = await anAdministratorOf(application)
    const { stored } = await person({ email: admin }, { email: admin })
    const service = await startService({
      ...sameDatabase(),
      IDP_API_URL: api.url,
      IDP_SERVICE_ACCOUNT_TOKEN: api.personalToken,
      IDP_RECONCILE_HOURS: '0.0003',
    })
    cleanup(async () => {
      await service.stop()
    })
    const question = { email: admin, app: application.code, permission: 'orders' }
    const allowed = () => remote(service.url).allowed(question)
    assert.isTrue(await allowed())
    stored.state = 'LOCKED'
    stored.changeDate = new Date().toISOString()
    await eventually('the run has come', async () => !(await userRecordOf(admin)).active, 10_000)
    await eventually('checks deny', async () => !(await allowed()), 1_000)
    assert.isFalse(await allowed())
  })
})
