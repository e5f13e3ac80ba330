import { setImmediate as nextTurn } from 'node:timers/promises'
import { test } from '@japa/runner'
import { BulkTurns } from '#core/values/bulk_turns'

test.group('Turns of bulk requests', () => {
  test('let other work pass after a few', async ({ assert }) => {
    const turns = new BulkTurns(1_000)
    const begun: string[] = []
    const begin = async (email: string) => {
      await turns.wait({ group: email }, 500)
      begun.push(email)
    }
    const all = Promise.all(Array.from({ length: 6 }, () => begin('busy')))
    await Promise.resolve()
    assert.deepEqual(begun, ['busy', 'busy'])
    await nextTurn()
    assert.lengthOf(begun, 4)
    await all
    assert.lengthOf(begun, 6)
  })

  test('are shared between owners', async ({ assert }) => {
    const turns = new BulkTurns(1_000)
    const begun: string[] = []
    const begin = async (email: string, permissions = 500) => {
      await turns.wait({ group: email }, permissions)
      begun.push(email)
    }
    const busy = Array.from({ length: 10 }, () => begin('busy'))
    const other = begin('other', 1)
    await nextTurn()
    await nextTurn()
    assert.include(begun, 'other')
    assert.isBelow(begun.length, 8)
    await Promise.all([...busy, other])
  })
})
