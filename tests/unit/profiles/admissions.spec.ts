import { test } from '@japa/runner'
import type { Account, Standing } from '#app/profiles/values/account'
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
    const source = async ({ subject }: Account): Promise<Standing> => {
      await read()
      return subject === IMPOSTOR.subject ? 'conflict' : 'active'
    }
    bindings = new AccountBindings(source, { now: clock.now, ttlResolution: 0 })
  })

  test('belong to one account of an address', async ({ assert }) => {
    await bindings.ask(ADA)
    assert.equal(bindings.remembered(ADA), 'active')
    assert.isUndefined(bindings.remembered(IMPOSTOR))
    await bindings.ask(IMPOSTOR)
    assert.deepEqual(
      [ADA, IMPOSTOR].map((account) => bindings.remembered(account)),
      ['active', 'conflict']
    )
  })

  test('expire 30 seconds after the start of the read', async ({ assert }) => {
    read = () => clock.advance(10_000)
    await bindings.ask(ADA)
    clock.advance(19_000)
    assert.equal(bindings.remembered(ADA), 'active')
    clock.advance(2_000)
    assert.isUndefined(bindings.remembered(ADA))
  })

  test('are dropped when the record changes, and by clear', async ({ assert }) => {
    for (const scope of [{ email: ADA.email }, {}]) {
      for (const account of [ADA, IMPOSTOR, GRACE]) await bindings.ask(account)
      bindings.invalidate([scope])
      assert.isUndefined(bindings.remembered(ADA))
      assert.isUndefined(bindings.remembered(IMPOSTOR))
      assert.equal(bindings.remembered(GRACE), 'email' in scope ? 'active' : undefined)
    }
  })

  test('survive changes within an application', async ({ assert }) => {
    await bindings.ask(ADA)
    bindings.invalidate([{ email: ADA.email, application: 'shop' }, { application: 'shop' }])
    assert.equal(bindings.remembered(ADA), 'active')
  })

  test('are not stored when the record changes during the read', async ({ assert }) => {
    read = () => bindings.invalidate([{ email: ADA.email }])
    assert.equal(await bindings.ask(ADA), 'active')
    assert.isUndefined(bindings.remembered(ADA))
  })
})
