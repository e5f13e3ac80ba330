import { test } from '@japa/runner'
import { Slots } from '#app/webhooks/background/slots'
import type { DueWebhook } from '#app/webhooks/queries/due_deliveries'
import webhooksConfig from '#config/webhooks'

const { parallel, parallelStruggling, perApplication, perWebhook } = webhooksConfig

/** `deliveries` due ones for each of `webhooks` webhooks of an application. */
const dueFor = (
  applicationId: number,
  { webhooks = 20, deliveries = perWebhook, isFailing = false } = {}
): DueWebhook[] =>
  Array.from({ length: webhooks * deliveries }, (_, index) => ({
    webhookId: applicationId * 100 + Math.floor(index / deliveries),
    applicationId,
    isFailing,
  }))

const countBy = (shared: DueWebhook[], key: 'applicationId' | 'webhookId') =>
  [...Map.groupBy(shared, (each) => each[key]).values()].map(({ length }) => length)

test.group('Slots of webhooks', () => {
  test('are shared evenly by applications, then by their webhooks', ({ assert }) => {
    const shared = new Slots().share([1, 2, 3, 4, 5, 6, 7, 8].flatMap((id) => dueFor(id)))
    assert.deepEqual(countBy(shared, 'applicationId'), Array(8).fill(parallel / 8))
    assert.sameMembers([...new Set(countBy(shared, 'webhookId'))], [1, 2])
  })

  test('are left for others by webhooks and applications that have enough', ({ assert }) => {
    assert.lengthOf(new Slots().share(dueFor(1)), perApplication)
    assert.lengthOf(new Slots().share(dueFor(1, { webhooks: 1, deliveries: 50 })), perWebhook)
    const slots = new Slots()
    for (const each of slots.share(dueFor(1))) slots.take(each)
    assert.isEmpty(slots.share(dueFor(1)))
    assert.lengthOf(slots.share(dueFor(2)), perApplication)
  })

  test('are few for webhooks that fail or are slow, also of many applications', ({ assert }) => {
    const slots = new Slots()
    const failing = [1, 2, 3, 4].flatMap((id) => dueFor(id, { isFailing: true }))
    const shared = slots.share(failing)
    assert.isTrue(countBy(shared, 'webhookId').every((count) => count === 1))
    assert.lengthOf(shared, 80)
    for (const each of shared) slots.take(each)
    const slow = dueFor(5, { webhooks: 40, deliveries: 1 })
    for (const each of slow) {
      slots.take(each)
      slots.release(each.webhookId, { isDelivered: true, isSlow: true })
    }
    assert.lengthOf(slots.share(slow), parallelStruggling - 80)
    slots.take(slow[0])
    slots.release(slow[0].webhookId, { isDelivered: true, isSlow: false })
    assert.lengthOf(slots.share(slow), parallelStruggling - 80 + 1)
  })

  test('are not for a webhook that failed a moment ago', ({ assert }) => {
    const slots = new Slots()
    const due = dueFor(1, { webhooks: 2, deliveries: 1 })
    slots.take(due[0])
    slots.release(due[0].webhookId, { isDelivered: false, isSlow: false })
    assert.deepEqual(slots.share(due), [due[1]])
  })
})
