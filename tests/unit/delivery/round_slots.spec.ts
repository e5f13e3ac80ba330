import { test } from '@japa/runner'
import { RoundSlots } from '#app/delivery/background/round_slots'
import sendingConfig from '#config/sending'

const { parallel, perAccount, perApplication, perApplicationAccount } = sendingConfig
const { perSlowAccount, slowRoundMs } = sendingConfig

test.group('Slots for rounds of durable sends', () => {
  test('are limited for an application, however many mail accounts it uses', ({ assert }) => {
    const slots = new RoundSlots()
    const due = (applicationId: number, accounts: number) =>
      Array.from({ length: accounts * 20 }, (_, id) => {
        return { id, applicationId, account: `brand ${id % accounts}` }
      })
    const shared = slots.share([...due(1, 30), ...due(2, 1)])
    const ofFirst = shared.filter(({ applicationId }) => applicationId === 1)
    assert.lengthOf(ofFirst, perApplication)
    assert.lengthOf(shared, perApplication + perApplicationAccount)
    for (const send of ofFirst) slots.take(send)
    assert.lengthOf(slots.share(due(1, 30)), 0)
    assert.lengthOf(slots.share(due(2, 1)), perApplicationAccount)
  })

  test('are refused to an account for the application whose round failed', ({ assert }) => {
    const slots = new RoundSlots()
    const failing = { applicationId: 1, account: 'platform' }
    slots.take(failing)
    slots.release(failing, 'failed', 1)
    assert.deepEqual(slots.busyAccounts(1), ['platform'])
    assert.deepEqual(slots.busyAccounts(2), [])
    slots.take(failing)
    slots.release(failing, 'passed', 1)
    assert.deepEqual(slots.busyAccounts(1), [])
  })

  test('are limited for a mail account, however many applications use it', ({ assert }) => {
    const slots = new RoundSlots()
    const due = Array.from({ length: 30 * perApplicationAccount }, (_, id) => {
      return { id, applicationId: id % 30, account: 'platform' }
    })
    const shared = slots.share(due)
    assert.lengthOf(shared, perAccount)
    for (const send of shared) slots.take(send)
    assert.deepEqual(slots.busyAccounts(99), ['platform'])
    const other = { id: 1, applicationId: 1, account: 'brand 7' }
    assert.deepEqual(slots.share([...due, other]), [other])
    assert.isTrue(slots.release(shared[0], 'none', 1), 'others may have waited')
    assert.deepEqual(slots.busyAccounts(99), [])
  })

  test('are left to others by accounts whose servers hang', ({ assert }) => {
    const slots = new RoundSlots()
    const hanging = Array.from({ length: parallel * 2 }, (_, id) => {
      return { id, applicationId: id % 10, account: `brand ${id % 4}` }
    })
    const first = slots.share(hanging)
    assert.lengthOf(first, parallel)
    for (const send of first) slots.take(send)
    for (const send of first) slots.release(send, 'none', slowRoundMs + 1)
    const pairs = new Set(
      hanging.map(({ applicationId, account }) => `${applicationId} ${account}`)
    )
    const next = slots.share(hanging)
    assert.lengthOf(next, pairs.size * perSlowAccount)
    for (const send of next) slots.take(send)
    const other = { id: 1, applicationId: 99, account: 'platform' }
    assert.deepEqual(slots.share([...hanging, other]), [other])
  })
})
