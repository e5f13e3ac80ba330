import { test } from '@japa/runner'
import { DateTime } from 'luxon'
import type Application from '#app/applications/models/application'
import { storeEvents } from '#app/webhooks/actions/store_events'
import { WebhookSource } from '#app/webhooks/background/webhook_source'
import WebhookDelivery from '#app/webhooks/models/webhook_delivery'
import webhooksConfig from '#config/webhooks'
import { eventually } from '#tests/helpers/eventually'
import { anApplication } from '#tests/helpers/people'
import {
  aReceiver,
  aWebhook,
  attemptDue,
  deliveriesTo,
  forgetOtherWebhooks,
} from '#tests/helpers/webhooks'
import type { TestHttpServer } from '#tests/world/http_server'

type Cleanup = (callback: () => Promise<void>) => void

const { maxPerApplication, parallel, perApplication, perWebhook } = webhooksConfig

/** A receiver that answers only when it is told to. */
async function aSlowReceiver(cleanup: Cleanup) {
  const held: (() => void)[] = []
  const released = { all: false }
  const receiver = await aReceiver(cleanup, (_, response) => {
    const answer = () => response.writeHead(204).end()
    if (released.all) answer()
    else held.push(answer)
  })
  const releaseAll = () => {
    released.all = true
    for (const answer of held.splice(0)) answer()
  }
  return { receiver, held, releaseAll }
}

async function storeEach(webhookIds: number[], count: number) {
  const data = { application: 'x', email: null, revision: 1 }
  const events = webhookIds.map((webhookId) => ({
    webhookId,
    type: 'access.changed' as const,
    email: null,
    data,
  }))
  await storeEvents(Array.from({ length: count }, () => events).flat(), null)
}

async function webhooksAt(
  cleanup: Cleanup,
  { url }: TestHttpServer,
  count: number,
  application?: Application
) {
  const owner = application ?? (await anApplication())
  const ids: number[] = []
  for (let index = 0; index < count; index++) {
    ids.push((await aWebhook(cleanup, owner, `${url}/${index}`)).id)
  }
  return ids
}

/** Calls the source until it finds nothing more to do, and its requests have arrived. */
async function fill(source: WebhookSource, receiver: TestHttpServer, attempts: number) {
  while (await source.work()) continue
  await eventually('the requests arrive', () => receiver.requests.length >= attempts)
}

const noClaimsLeft = (webhookIds: number[]) =>
  eventually('all attempts are recorded', async () => {
    const claimed = await WebhookDelivery.query()
      .whereIn('webhookId', webhookIds)
      .whereNotNull('claim')
    return claimed.length === 0
  })

test.group('Slots for attempts', (group) => {
  group.each.setup(forgetOtherWebhooks)

  test('are left for others by an application with many slow webhooks', async ({
    assert,
    cleanup,
  }) => {
    const { receiver, releaseAll } = await aSlowReceiver(cleanup)
    const slow = await webhooksAt(cleanup, receiver, maxPerApplication)
    await storeEach(slow, 3 * perWebhook)
    const fast = await aReceiver(cleanup)
    const [other] = await webhooksAt(cleanup, fast, 1)
    await storeEach([other], 1)
    const source = new WebhookSource()
    await fill(source, receiver, perApplication)
    await attemptDue(other, source)
    assert.lengthOf(fast.requests, 1)
    // Also for an event that comes later.
    await storeEach([other], 1)
    await attemptDue(other, source)
    assert.lengthOf(fast.requests, 2)
    assert.lengthOf(receiver.requests, perApplication)
    // Each of its webhooks gets its share.
    assert.lengthOf(new Set(receiver.requests.map(({ url }) => url)), maxPerApplication)
    releaseAll()
    await noClaimsLeft(slow)
  })

  test('go to the application with fewest attempts when they become free', async ({
    assert,
    cleanup,
  }) => {
    const { receiver, held, releaseAll } = await aSlowReceiver(cleanup)
    const slow: number[] = []
    for (let taken = 0; taken < parallel; taken += perApplication) {
      slow.push(...(await webhooksAt(cleanup, receiver, maxPerApplication)))
    }
    await storeEach(slow, perWebhook)
    const source = new WebhookSource()
    await fill(source, receiver, parallel)
    const fast = await aReceiver(cleanup)
    const [other] = await webhooksAt(cleanup, fast, 1)
    await storeEach([other], 1)
    assert.isFalse(await source.work())
    held.shift()!()
    await attemptDue(other, source)
    assert.lengthOf(fast.requests, 1)
    releaseAll()
    await noClaimsLeft(slow)
  })

  test('are fewer for a webhook that is slow, until it is fast again', async ({
    assert,
    cleanup,
  }) => {
    const { slowMs } = webhooksConfig
    cleanup(async () => void (webhooksConfig.slowMs = slowMs))
    const { receiver, held, releaseAll } = await aSlowReceiver(cleanup)
    const [id] = await webhooksAt(cleanup, receiver, 1)
    const source = new WebhookSource()
    const attempt = async (taking: number) => {
      // Whatever an attempt takes is more, or less, than this.
      webhooksConfig.slowMs = taking
      held.shift()!()
      await eventually('it is recorded', async () => {
        const delivered = await deliveriesTo(id).where('status', 'delivered')
        return delivered.length === receiver.requests.length
      })
    }
    await storeEach([id], 1)
    await fill(source, receiver, 1)
    await attempt(0)
    await storeEach([id], 2 * perWebhook)
    await fill(source, receiver, 2)
    assert.lengthOf(receiver.requests, 2)
    await attempt(60_000)
    await fill(source, receiver, 2 + perWebhook)
    assert.lengthOf(receiver.requests, 2 + perWebhook)
    releaseAll()
    await noClaimsLeft([id])
  })

  test('are taken by several processes without making an attempt twice', async ({
    assert,
    cleanup,
  }) => {
    const { receiver, releaseAll } = await aSlowReceiver(cleanup)
    const slow = await webhooksAt(cleanup, receiver, maxPerApplication)
    await storeEach(slow, 2 * perWebhook)
    const sources = [new WebhookSource(), new WebhookSource()]
    await eventually('both have what one application can take', async () => {
      await Promise.all(sources.map((source) => source.work()))
      return receiver.requests.length === 2 * perApplication
    })
    await Promise.all(sources.map((source) => source.work()))
    const ids = new Set(receiver.requests.map(({ headers }) => headers['webhook-id']))
    assert.equal(ids.size, 2 * perApplication)
    const claimed = await WebhookDelivery.query()
      .whereIn('webhookId', slow)
      .where('dueAt', '>', DateTime.utc().toISO())
    assert.lengthOf(claimed, 2 * perApplication)
    releaseAll()
    await noClaimsLeft(slow)
  })
})
