import { test } from '@japa/runner'
import { type Round, RoundSlots } from '#app/delivery/background/round_slots'
import sendingConfig from '#config/sending'

const { parallel, perAccount, perApplication, perApplicationAccount } = sendingConfig
const { difficultRoundMs, failingRecipients, perRecipient, perSlowAccount, slowRoundMs } =
  sendingConfig

test.group('Slots for rounds of durable sends', () => {
  test('are limited for an application, however many mail accounts it uses', ({ assert }) => {
    const slots = new RoundSlots()
    const due = (applicationId: number, accounts: number) =>
      Array.from({ length: accounts * 20 }, (_, id) => {
        return { id, applicationId, account: `brand ${id % accounts}`, recipientId: id }
      })
    const shared = slots.share([...due(1, 30), ...due(2, 1)])
    const ofFirst = shared.filter(({ applicationId }) => applicationId === 1)
    assert.lengthOf(ofFirst, perApplication)
    assert.lengthOf(shared, perApplication + perApplicationAccount)
    for (const send of ofFirst) slots.take(send)
    assert.lengthOf(slots.share(due(1, 30)), 0)
    assert.lengthOf(slots.share(due(2, 1)), perApplicationAccount)
  })

  test('are refused to an account for the application once rounds of several recipients failed', ({
    assert,
  }) => {
    const slots = new RoundSlots()
    const run = (recipientId: number, round: Round) => {
      const owner = { applicationId: 1, account: 'platform', recipientId }
      slots.take(owner)
      slots.release(owner, round, 1)
    }
    const busyFor = (applicationId: number) => slots.busyFor(applicationId).accounts
    for (let nth = 0; nth < 20; nth++) run(1, 'failed')
    assert.deepEqual(busyFor(1), [], 'those of one say nothing about others')
    for (let id = 2; id <= failingRecipients; id++) run(id, 'failed')
    assert.deepEqual(busyFor(1), ['platform'])
    assert.deepEqual(busyFor(2), [])
    run(8, 'failed')
    assert.deepEqual(busyFor(1), ['platform'], 'rounds that had begun end no pause')
    run(9, 'passed')
    assert.deepEqual(busyFor(1), [])
    for (let id = 2; id <= failingRecipients; id++) run(id, 'failed')
    assert.deepEqual(busyFor(1), [], 'the success counts')
  })

  test('are limited for a recipient, and go to one with difficulties last', ({ assert }) => {
    const slots = new RoundSlots()
    const due = Array.from({ length: 20 }, (_, id) => {
      return { id, applicationId: 1, account: 'platform', recipientId: 7 }
    })
    const first = slots.share(due)
    assert.lengthOf(first, perRecipient)
    for (const send of first) slots.take(send)
    assert.deepEqual(slots.busyFor(1).recipients, [7])
    const other = { id: 99, applicationId: 1, account: 'platform', recipientId: 8 }
    assert.deepEqual(slots.share([...due, other]), [other])
    for (const send of first) slots.release(send, 'passed', difficultRoundMs + 1)
    assert.deepEqual(slots.difficultOf(1), [7])
    assert.lengthOf(slots.share(due), 1)
    assert.deepEqual(slots.difficultOf(2), [])
  })

  test('are not all for recipients with difficulties, however many these are', ({ assert }) => {
    const slots = new RoundSlots()
    const toEach = (recipientId: number) => ({
      id: recipientId,
      applicationId: 1,
      account: 'platform',
      recipientId,
    })
    const due = Array.from({ length: 20 }, (_, id) => toEach(id))
    for (const send of due) slots.take(send)
    for (const send of due) slots.release(send, 'none', slowRoundMs + 1)
    const shared = slots.share(due)
    assert.lengthOf(shared, perSlowAccount - 1)
    for (const send of shared) slots.take(send)
    assert.isEmpty(slots.share(due))
    assert.deepEqual(slots.share([...due, toEach(99)]), [toEach(99)])
  })

  test('are shared between recipients with difficulties, however many sends one has', ({
    assert,
  }) => {
    const slots = new RoundSlots()
    const to = (recipientId: number, id = recipientId) => {
      return { id, applicationId: 1, account: 'platform', recipientId }
    }
    const others = [to(1), to(2)]
    for (const send of [to(0), ...others]) {
      slots.take(send)
      slots.release(send, 'passed', difficultRoundMs + 1)
    }
    const ofOne = Array.from({ length: 20 }, (_, id) => to(0, 100 + id))
    assert.deepEqual(slots.share([...ofOne, ...others]), [ofOne[0], ...others])
  })

  test('are limited for a mail account, however many applications use it', ({ assert }) => {
    const slots = new RoundSlots()
    const due = Array.from({ length: 30 * perApplicationAccount }, (_, id) => {
      return { id, applicationId: id % 30, account: 'platform', recipientId: id }
    })
    const shared = slots.share(due)
    assert.lengthOf(shared, perAccount)
    for (const send of shared) slots.take(send)
    assert.deepEqual(slots.busyFor(99).accounts, ['platform'])
    const other = { id: 1, applicationId: 1, account: 'brand 7', recipientId: 1 }
    assert.deepEqual(slots.share([...due, other]), [other])
    assert.isTrue(slots.release(shared[0], 'none', 1), 'others may have waited')
    assert.deepEqual(slots.busyFor(99).accounts, [])
  })

  test('are left to others by accounts whose servers hang', ({ assert }) => {
    const slots = new RoundSlots()
    const hanging = Array.from({ length: parallel * 2 }, (_, id) => {
      return { id, applicationId: id % 10, account: `brand ${id % 4}`, recipientId: id }
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
    const other = { id: 1, applicationId: 99, account: 'platform', recipientId: 1 }
    assert.deepEqual(slots.share([...hanging, other]), [other])
  })
})
