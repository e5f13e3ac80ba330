import { test } from '@japa/runner'
import type { Account, AccountState } from '#app/profiles/values/account'
import { AccountBindings } from '#app/profiles/values/account_bindings'
import { TestClock } from '#tests/world/clock'

const ADA: Account = { email: 'ada@tests.example', subject: '1', organisationId: null }
const IMPOSTOR: Account = { ...ADA, subject: '2' }
const GRACE: Account = { email: 'grace@tests.example', subject: '3', organisationId: null }

test.group('Cached account states', (group) => {
  let clock: TestClock
  let bindings: AccountBindings
  let read: () => Promise<void> | void

  group.each.setup(() => {
    clock = new TestClock()
    read = () => {}
    const source = async ({ subject }: Account): Promise<AccountState> => {
      await read()
      return subject === IMPOSTOR.subject ? 'conflict' : 'active'
    }
    bindings = new AccountBindings(source, { now: clock.now, ttlResolution: 0 })
  })

  test('belong to one account of an address', async ({ assert }) => {
    await bindings.load(ADA)
    assert.equal(bindings.get(ADA), 'active')
    assert.isUndefined(bindings.get(IMPOSTOR))
    await bindings.load(IMPOSTOR)
    assert.deepEqual(
      [ADA, IMPOSTOR].map((account) => bindings.get(account)),
      ['active', 'conflict']
    )
  })

  test('expire 30 seconds after the start of the read', async ({ assert }) => {
    read = () => clock.advance(10_000)
    await bindings.load(ADA)
    clock.advance(19_000)
    assert.equal(bindings.get(ADA), 'active')
    clock.advance(2_000)
    assert.isUndefined(bindings.get(ADA))
  })

  test('are dropped when the record changes, and by clear', async ({ assert }) => {
    for (const scope of [{ email: ADA.email }, {}]) {
      for (const account of [ADA, IMPOSTOR, GRACE]) await bindings.load(account)
      bindings.invalidate([scope])
      assert.isUndefined(bindings.get(ADA))
      assert.isUndefined(bindings.get(IMPOSTOR))
      assert.equal(bindings.get(GRACE), 'email' in scope ? 'active' : undefined)
    }
  })

  test('survive changes within an application', async ({ assert }) => {
    await bindings.load(ADA)
    bindings.invalidate([{ email: ADA.email, application: 'shop' }, { application: 'shop' }])
    assert.equal(bindings.get(ADA), 'active')
  })

  test('are not stored when the record changes during the read', async ({ assert }) => {
    read = () => bindings.invalidate([{ email: ADA.email }])
    assert.equal(await bindings.load(ADA), 'active')
    assert.isUndefined(bindings.get(ADA))
  })
})
