import { test } from '@japa/runner'
import type Application from '#app/applications/models/application'
import Broadcast from '#app/broadcasts/models/broadcast'
import { BroadcastDelivery } from '#app/broadcasts/work/broadcast_delivery'
import { BroadcastExpansion } from '#app/broadcasts/work/broadcast_expansion'
import { aBroadcast, manyPeopleIn, someEmails } from '#tests/helpers/broadcasts'
import { anApplication } from '#tests/helpers/people'

const untilTheEnd = () => new AbortController().signal
const MANY = 12
const begun = async (application: Application, count: 'sent' | 'total') => {
  const broadcasts = await Broadcast.query().where('applicationId', application.id)
  return broadcasts.filter((broadcast) => broadcast[count] > 0).length
}

test.group('Many broadcasts of one application', (group) => {
  let crowd: Application
  let other: Application

  group.each.setup(async () => {
    crowd = await anApplication()
    other = await anApplication()
    return async () => {
      const left = [crowd.id, other.id]
      await Broadcast.query().whereIn('applicationId', left).update({ status: 'cancelled' })
    }
  })

  test('are sent in turns with those of another one', async ({ assert }) => {
    for (let each = 0; each < MANY; each++) await aBroadcast(crowd)
    await aBroadcast(other)
    const delivery = new BroadcastDelivery()
    for (let turn = 0; turn < MANY && (await begun(other, 'sent')) === 0; turn++) {
      await delivery.work(untilTheEnd())
    }
    assert.equal(await begun(other, 'sent'), 1)
    assert.isAtMost(await begun(crowd, 'sent'), 1)
  })

  test('all come, one after the other', async ({ assert }) => {
    for (let each = 0; each < 4; each++) {
      const audience = { kind: 'emails' as const, emails: someEmails(150) }
      await aBroadcast(crowd, { audience })
    }
    const delivery = new BroadcastDelivery()
    for (let turn = 0; turn < 4; turn++) await delivery.work(untilTheEnd())
    assert.equal(await begun(crowd, 'sent'), 4)
  })

  test('have their audiences written down in turns with those of another one', async ({
    assert,
  }) => {
    await manyPeopleIn(crowd, someEmails(3))
    await manyPeopleIn(other, someEmails(3))
    const audience = { kind: 'application' as const }
    for (let each = 0; each < MANY; each++) await aBroadcast(crowd, { audience })
    await aBroadcast(other, { audience })
    const expansion = new BroadcastExpansion()
    while ((await begun(other, 'total')) === 0) await expansion.work(untilTheEnd())
    assert.isAtMost(await begun(crowd, 'total'), 1)
    while (await expansion.work(untilTheEnd()));
    assert.equal(await begun(crowd, 'total'), MANY)
  })
})
