import { test } from '@japa/runner'
import type Application from '#app/applications/models/application'
import Broadcast from '#app/broadcasts/models/broadcast'
import { BroadcastDelivery } from '#app/broadcasts/background/broadcast_delivery'
import { BroadcastExpansion } from '#app/broadcasts/background/broadcast_expansion'
import {
  aBroadcast,
  insertPeople,
  startBroadcastWorker,
  uniqueEmails,
  waitForBroadcastStatus,
} from '#tests/helpers/broadcasts'
import { subscribe } from '#tests/helpers/deliveries'
import { anApplication } from '#tests/helpers/people'
import { PushService } from '#tests/world/push_service'
import broadcastsConfig from '#config/broadcasts'

const neverStopping = () => new AbortController().signal
const MANY = 12
const countStarted = async (application: Application, count: 'sent' | 'total') => {
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

  test('take turns with those of another application', async ({ assert }) => {
    for (let number = 0; number < MANY; number++) await aBroadcast(crowd)
    await aBroadcast(other)
    const delivery = new BroadcastDelivery()
    for (let turn = 0; turn < MANY && (await countStarted(other, 'sent')) === 0; turn++) {
      await delivery.work(neverStopping())
    }
    assert.equal(await countStarted(other, 'sent'), 1)
    assert.isAtMost(await countStarted(crowd, 'sent'), 1)
  })

  test('are all sent, one after the other', async ({ assert }) => {
    for (let number = 0; number < 4; number++) {
      const audience = { kind: 'emails' as const, emails: uniqueEmails(150) }
      await aBroadcast(crowd, { audience })
    }
    const delivery = new BroadcastDelivery()
    for (let turn = 0; turn < 4; turn++) {
      await delivery.work(neverStopping())
      await delivery.finish()
    }
    assert.equal(await countStarted(crowd, 'sent'), 4)
  })

  test('are expanded in turns with those of another application', async ({ assert }) => {
    await insertPeople(crowd, uniqueEmails(3))
    await insertPeople(other, uniqueEmails(3))
    const audience = { kind: 'application' as const }
    for (let number = 0; number < MANY; number++) await aBroadcast(crowd, { audience })
    await aBroadcast(other, { audience })
    const expansion = new BroadcastExpansion()
    while ((await countStarted(other, 'total')) === 0) await expansion.work(neverStopping())
    assert.isAtMost(await countStarted(crowd, 'total'), 1)
    while (await expansion.work(neverStopping()));
    assert.equal(await countStarted(crowd, 'total'), MANY)
  })
})

test.group('A broadcast to push services that do not answer', (group) => {
  let push: PushService

  group.each.setup(async () => {
    push = await new PushService().start()
    return () => push.stop()
  })

  const toList = (count: number) => ({ kind: 'emails' as const, emails: uniqueEmails(count) })

  /** As many messages as a process sends at a time wait for an answer. */
  async function aStalledBroadcast(application: Application) {
    const audience = toList(broadcastsConfig.parallel)
    for (const email of audience.emails) {
      const browser = push.newBrowser()
      browser.response = 'stall'
      await subscribe(email, browser)
    }
    return aBroadcast(application, { audience })
  }

  const isStillSending = async ({ id }: Broadcast) => {
    const { status, sent, failed } = await Broadcast.findOrFail(id)
    return status === 'running' && sent + failed === 0
  }

  test('does not hold up those of other applications', async ({ assert, cleanup }) => {
    const stalled = await aStalledBroadcast(await anApplication())
    const other = await aBroadcast(await anApplication(), { audience: toList(3) })
    startBroadcastWorker(cleanup)
    await waitForBroadcastStatus(other.id, 'completed')
    assert.isTrue(await isStillSending(stalled))

    const later = await aBroadcast(await anApplication())
    await waitForBroadcastStatus(later.id, 'completed')
    assert.isTrue(await isStillSending(stalled))
    push.dropConnections()
  })

  test('is finished before a process stops', async ({ assert, cleanup }) => {
    const stalled = await aStalledBroadcast(await anApplication())
    const worker = startBroadcastWorker(cleanup)
    const other = await aBroadcast(await anApplication())
    await waitForBroadcastStatus(other.id, 'completed')
    assert.isTrue(await isStillSending(stalled))
    const stopped = worker.stop()
    push.dropConnections()
    await stopped
    const { sent } = await Broadcast.findOrFail(stalled.id)
    assert.equal(sent, broadcastsConfig.parallel)
  })
})
