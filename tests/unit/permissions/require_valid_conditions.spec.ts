import { test } from '@japa/runner'
import { requireValidConditions } from '#app/permissions/actions/require_valid_conditions'
import { aLongCondition } from '#tests/helpers/costly_conditions'
import { turnsDuring } from '#tests/helpers/event_loop'

const aList = (length: number) => Array.from({ length }, () => ({ condition: aLongCondition() }))

test.group('Lists of conditions', () => {
  test('let other work run, however many requests have some', async ({ assert }) => {
    const lists = Array.from({ length: 20 }, () => aList(10))
    const turns = await turnsDuring(() =>
      Promise.all(lists.map((list) => requireValidConditions('shop', list, 'permissions')))
    )
    assert.isAtLeast(turns, 20)
  })

  test('wait for no turn when they are checked again', async ({ assert }) => {
    const list = aList(50)
    await requireValidConditions('shop', list, 'permissions')
    let isNextTurn = false
    setImmediate(() => (isNextTurn = true))
    await requireValidConditions('shop', list, 'permissions')
    assert.isFalse(isNextTurn)
  })

  test('are refused for the first that is not valid', async ({ assert }) => {
    const list = [...aList(2), { condition: '1 +' }, { condition: '2 +' }]
    const error = await requireValidConditions('shop', list, 'permissions').catch(
      (reason: unknown) => reason
    )
    assert.containSubset(error, { details: { field: 'permissions.2.condition' } })
  })
})
