import { setImmediate as nextTurn } from 'node:timers/promises'
import { test } from '@japa/runner'
import { BulkTurns } from '#app/checks/actions/bulk_turns'

test.group('Turns of bulk checks', () => {
  test('let other work pass after a few checks', async ({ assert }) => {
    const turns = new BulkTurns()
    const begun: string[] = []
    const begin = async (email: string) => {
      await turns.wait(email, 500)
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

  test('are shared between users', async ({ assert }) => {
    const turns = new BulkTurns()
    const begun: string[] = []
    const begin = async (email: string, permissions = 500) => {
      await turns.wait(email, permissions)
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
