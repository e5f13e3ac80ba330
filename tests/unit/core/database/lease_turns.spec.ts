import { test } from '@japa/runner'
import { LeaseTurns } from '#core/database/leases/lease_turns'
import { Deadline } from '#core/values/deadline'

const SOON = new Deadline(60_000)

test.group('Turns for leases', () => {
  test('pass from caller to caller, however many requests one of them has', async ({ assert }) => {
    const turns = new LeaseTurns()
    const served: string[] = []
    const each = async (caller: string) => {
      await turns.enter('organisation', caller, SOON)
      await new Promise(setImmediate)
      served.push(caller)
      turns.leave('organisation', caller, 10)
    }
    await Promise.all([...Array.from({ length: 20 }, () => 'flood'), 'other', 'other'].map(each))
    assert.lengthOf(served, 22)
    assert.isBelow(served.lastIndexOf('other'), 5)
  })

  test('do not wait for other leases', async ({ assert }) => {
    const turns = new LeaseTurns()
    assert.isTrue(await turns.enter('one', 'caller', new Deadline(0)))
    assert.isTrue(await turns.enter('other', 'caller', new Deadline(0)))
    assert.isFalse(await turns.enter('one', 'caller', new Deadline(0)))
  })

  test('are given up when the deadline passes, so that others get them', async ({ assert }) => {
    const turns = new LeaseTurns()
    await turns.enter('one', 'caller', SOON)
    assert.isFalse(await turns.enter('one', 'impatient', new Deadline(5)))
    const patient = turns.enter('one', 'patient', SOON)
    turns.leave('one', 'caller', 1)
    assert.isTrue(await patient)
  })
})
