import { test } from '@japa/runner'
import { DateTime } from 'luxon'
import AuditEntry from '#app/audit/models/audit_entry'
import { TrimSource } from '#app/webhooks/background/trim_source'
import { claimDeliveries } from '#app/webhooks/background/claim_deliveries'
import { recordAttempt } from '#app/webhooks/background/record_attempt'
import { Slots } from '#app/webhooks/background/slots'
import { storeEvents } from '#app/webhooks/actions/store_events'
import { WebhookSource } from '#app/webhooks/background/webhook_source'
import Webhook from '#app/webhooks/models/webhook'
import webhooksConfig from '#config/webhooks'
import { eventually } from '#tests/helpers/eventually'
import { anAdministratorOf, anApplication } from '#tests/helpers/people'
import {
  aReceiver,
  aWebhook,
  attemptDue,
  deliveriesTo,
  forgetOtherWebhooks,
  makeDue,
  respondWith,
  verified,
  webhookAdmin,
} from '#tests/helpers/webhooks'
import { type Handler } from '#tests/world/http_server'

type Cleanup = (callback: () => Promise<void>) => void

/** A webhook for which one event waits. */
async function aWaitingEvent(cleanup: Cleanup, handler: Handler) {
  const application = await anApplication()
  const receiver = await aReceiver(cleanup, handler)
  const webhook = await aWebhook(cleanup, application, receiver.url)
  await store(webhook.id)
  return { ...webhook, application, receiver }
}

const store = (webhookId: number, email: string | null = null) =>
  storeEvents(
    [{ webhookId, type: 'access.changed', email, data: { application: 'x', email, revision: 1 } }],
    null
  )

test.group('An attempt', (group) => {
  group.each.setup(forgetOtherWebhooks)

  test('that fails is repeated with the same id until it succeeds', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { id, secret, receiver, application } = await aWaitingEvent(cleanup, respondWith(500))
    const before = DateTime.utc()
    await attemptDue(id)
    const [waiting] = await deliveriesTo(id)
    assert.containSubset(waiting.$attributes, {
      status: 'pending',
      attempts: 1,
      responseStatus: 500,
      failureReason: 'status',
    })
    assert.isBelow(waiting.dueAt!.diff(before).as('seconds'), 15)
    assert.closeTo(waiting.giveUpAt.diff(before).as('hours'), 72, 0.1)
    const admin = webhookAdmin(client, await anAdministratorOf(application), application)
    const failing = (await admin.show(id)).body().data
    assert.containSubset(failing, { enabled: true, lastFailure: { reason: 'status', status: 500 } })
    assert.isString(failing.failingSince)
    const [listed] = (await admin.deliveries(id)).body().data
    assert.containSubset(listed, { responseStatus: 500, failureReason: 'status' })
    assert.equal(listed.nextAttemptAt, waiting.dueAt!.toISO())

    receiver.handler = respondWith(200)
    await makeDue(id)
    await attemptDue(id)
    const [delivered] = await deliveriesTo(id)
    assert.containSubset(delivered.$attributes, {
      status: 'delivered',
      attempts: 2,
      dueAt: null,
      responseStatus: 200,
      failureReason: null,
    })
    const well = (await admin.show(id)).body().data
    assert.isNull(well.failingSince)
    assert.isString(well.lastSuccessAt)
    const [first, second] = receiver.requests
    assert.deepEqual(verified(first, secret), verified(second, secret))
    assert.equal(first.headers['webhook-id'], second.headers['webhook-id'])
    assert.match(String(first.headers['webhook-id']), /^msg_[0-9a-f]{32}$/)
  })

  test('needs a 2xx response within a time, and follows no redirect', async ({
    assert,
    cleanup,
  }) => {
    const elsewhere = await aReceiver(cleanup)
    const cases: Record<string, [Handler, object]> = {
      redirect: [
        (_, response) => response.writeHead(307, { location: elsewhere.url }).end(),
        { status: 'pending', failureReason: 'status', responseStatus: 307 },
      ],
      closed: [
        (request) => request.socket.destroy(),
        { status: 'pending', failureReason: 'connect', responseStatus: null },
      ],
      huge: [
        (_, response) => void response.writeHead(200).end(Buffer.alloc(50_000_000)),
        { status: 'delivered', failureReason: null, responseStatus: 200 },
      ],
      endless: [
        (_, response) => void response.writeHead(202).write('{'),
        { status: 'delivered', failureReason: null, responseStatus: 202 },
      ],
    }
    for (const [name, [handler, expected]] of Object.entries(cases)) {
      const { id } = await aWaitingEvent(cleanup, handler)
      await attemptDue(id)
      const [{ $attributes }] = await deliveriesTo(id)
      assert.containSubset($attributes, expected, name)
    }
    assert.isEmpty(elsewhere.requests)
  })

  test('at an address that is not allowed is not made', async ({ assert, cleanup }) => {
    const { id, receiver } = await aWaitingEvent(cleanup, respondWith(204))
    // Such as that of a name that resolves to a private address later.
    await Webhook.query()
      .where({ id })
      .update({ url: `https://127.0.0.1:${new URL(receiver.url).port}` })
    await attemptDue(id)
    const [delivery] = await deliveriesTo(id)
    assert.equal(delivery.failureReason, 'address')
    assert.isEmpty(receiver.requests)
  })

  test('that hangs ends after a time', async ({ assert, cleanup }) => {
    const { timeoutMs } = webhooksConfig
    webhooksConfig.timeoutMs = 200
    cleanup(async () => void (webhooksConfig.timeoutMs = timeoutMs))
    const { id } = await aWaitingEvent(cleanup, () => {})
    await attemptDue(id)
    const [{ $attributes }] = await deliveriesTo(id)
    assert.containSubset($attributes, { status: 'pending', failureReason: 'timeout', attempts: 1 })
  })

  test('that succeeds ends failures that began in the meantime', async ({ assert, cleanup }) => {
    const { id, receiver } = await aWaitingEvent(cleanup, respondWith(204))
    const lastSuccessAt = DateTime.utc().toISO()
    await Webhook.query().where({ id }).update({ last_success_at: lastSuccessAt })
    receiver.handler = async (_, response) => {
      const failing = { failing_since: lastSuccessAt }
      await Webhook.query().where({ id }).update(failing)
      response.writeHead(204).end()
    }
    await attemptDue(id)
    assert.isNull((await Webhook.findOrFail(id)).failingSince)
  })

  test('that hangs disturbs no other webhook', async ({ assert, cleanup }) => {
    const hanging = await aWaitingEvent(cleanup, () => {})
    for (let count = 0; count < 2 * webhooksConfig.perWebhook; count++) await store(hanging.id)
    const other = await aWaitingEvent(cleanup, respondWith(204))
    const source = new WebhookSource()
    await eventually('the slots of the webhook are taken', async () => {
      await source.work()
      return hanging.receiver.requests.length === webhooksConfig.perWebhook
    })
    await attemptDue(other.id, source)
    assert.lengthOf(other.receiver.requests, 1)
    assert.lengthOf(hanging.receiver.requests, webhooksConfig.perWebhook)
    await hanging.receiver.stop()
    await eventually('the attempts that hung are recorded', async () => {
      const failed = await deliveriesTo(hanging.id).where('attempts', 1)
      return failed.length === webhooksConfig.perWebhook
    })
    await hanging.receiver.start()
    await makeDue(hanging.id)
    const another = new WebhookSource()
    await eventually('it is tried again', async () => {
      await another.work()
      return hanging.receiver.requests.length > webhooksConfig.perWebhook
    })
    await another.work()
    const more = hanging.receiver.requests.length - webhooksConfig.perWebhook
    assert.equal(more, webhooksConfig.perStrugglingWebhook)
    await hanging.receiver.stop()
    await eventually('its attempt is recorded', async () => {
      const attempts = (await deliveriesTo(hanging.id)).map((one) => one.attempts)
      return attempts.reduce((sum, count) => sum + count) === hanging.receiver.requests.length
    })
  })

  test('that takes long succeeds once, and disturbs no other webhook', async ({
    assert,
    cleanup,
  }) => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const slow = await aWaitingEvent(cleanup, async (_, response) => {
      await released
      response.writeHead(204).end()
    })
    const other = await aWaitingEvent(cleanup, respondWith(204))
    const source = new WebhookSource()
    await eventually('the slow attempt has begun', async () => {
      await source.work()
      return slow.receiver.requests.length === 1
    })
    await attemptDue(other.id, source)
    assert.lengthOf(other.receiver.requests, 1)
    await source.work()
    await new WebhookSource().work()
    release()
    await eventually('the slow attempt is recorded', async () => {
      const [{ status }] = await deliveriesTo(slow.id)
      return status === 'delivered'
    })
    const [{ attempts, failureReason }] = await deliveriesTo(slow.id)
    assert.deepEqual({ attempts, failureReason }, { attempts: 1, failureReason: null })
    assert.lengthOf(slow.receiver.requests, 1)
  })

  test('of a process that died is made again', async ({ assert, cleanup }) => {
    const { id, receiver } = await aWaitingEvent(cleanup, respondWith(204))
    const [delivery] = await deliveriesTo(id)
    const dueAt = DateTime.utc().plus({ seconds: 30 })
    await delivery.merge({ claim: 'of-a-dead-process', dueAt }).save()
    await new WebhookSource().work()
    assert.isEmpty(receiver.requests)
    await makeDue(id)
    await attemptDue(id)
    assert.lengthOf(receiver.requests, 1)
  })
})

test.group('A webhook is disabled', (group) => {
  group.each.setup(forgetOtherWebhooks)

  test('at once by a response with 410', async ({ assert, client, cleanup }) => {
    const { id, application } = await aWaitingEvent(cleanup, respondWith(410))
    await attemptDue(id)
    const admin = webhookAdmin(client, await anAdministratorOf(application), application)
    const webhook = (await admin.show(id)).body().data
    assert.containSubset(webhook, { enabled: false, disabledReason: 'gone' })
    assert.isString(webhook.disabledAt)
    const entry = await AuditEntry.query().where({
      action: 'webhook.disabled',
      targetId: String(id),
    })
    assert.containSubset(entry[0].$attributes, {
      actorKind: 'system',
      application: application.code,
    })
    ;(await admin.test(id)).assertProblem(409, 'WEBHOOK_DISABLED')
    const [{ id: deliveryId, status }] = await deliveriesTo(id)
    assert.equal(status, 'failed')
    ;(await admin.replay(id, deliveryId)).assertProblem(409, 'WEBHOOK_DISABLED')
  })

  test('not by a response of its former URL', async ({ assert, client, cleanup }) => {
    const { id, application } = await aWaitingEvent(cleanup, respondWith(410))
    const [claimed] = await claimDeliveries(new Slots())
    const admin = webhookAdmin(client, await anAdministratorOf(application), application)
    const next = await aReceiver(cleanup, respondWith(204))
    ;(await admin.update(id, { url: next.url })).assertStatus(200)
    const gone = { isDelivered: false, isGone: true, status: 410, reason: 'status' } as const
    await recordAttempt(claimed, gone)
    assert.containSubset((await admin.show(id)).body().data, { enabled: true })
    await attemptDue(id)
    assert.lengthOf(next.requests, 1)
  })

  test('after three days of failures, but not because of one event', async ({
    assert,
    cleanup,
  }) => {
    const { id, receiver } = await aWaitingEvent(cleanup, respondWith(500))
    const ended = DateTime.utc().minus({ minutes: 1 })
    await makeDue(id, { giveUpAt: ended })
    await attemptDue(id)
    const [given] = await deliveriesTo(id)
    assert.containSubset(given.$attributes, { status: 'failed', dueAt: null })
    assert.isTrue((await Webhook.findOrFail(id)).enabled, 'it failed since a moment ago only')

    await store(id)
    await makeDue(id, { giveUpAt: ended })
    const failingSince = DateTime.utc().minus({ hours: 72 })
    await Webhook.query().where({ id }).update({ failing_since: failingSince.toISO() })
    await attemptDue(id)
    const { enabled, disabledReason } = await Webhook.findOrFail(id)
    assert.deepEqual({ enabled, disabledReason }, { enabled: false, disabledReason: 'failing' })
    assert.lengthOf(receiver.requests, 2)
  })

  test('by an administrator, and continues with what waits', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { id, receiver, application } = await aWaitingEvent(cleanup, respondWith(204))
    const admin = webhookAdmin(client, await anAdministratorOf(application), application)
    const disabled = await admin.update(id, { enabled: false })
    assert.containSubset(disabled.body().data, { enabled: false, disabledReason: null })
    assert.isString(disabled.body().data.disabledAt)
    await new WebhookSource().work()
    assert.isEmpty(receiver.requests)
    assert.isEmpty(await store(id))
    const enabled = await admin.update(id, { enabled: true })
    assert.containSubset(enabled.body().data, { enabled: true, disabledAt: null })
    await attemptDue(id)
    assert.lengthOf(receiver.requests, 1)
  })

  test('and events that then wait too long fail without an attempt', async ({
    assert,
    cleanup,
  }) => {
    const { id, receiver } = await aWaitingEvent(cleanup, respondWith(204))
    await Webhook.query().where({ id }).update({ enabled: false })
    await makeDue(id, { giveUpAt: DateTime.utc().minus({ minutes: 1 }) })
    await eventually('it is given up', async () => {
      await new WebhookSource().work()
      const [{ status, failureReason, attempts }] = await deliveriesTo(id)
      return status === 'failed' && failureReason === 'disabled' && attempts === 0
    })
    assert.isEmpty(receiver.requests)
  })
})

test.group('Deliveries', (group) => {
  group.each.setup(forgetOtherWebhooks)

  test('are listed and can be replayed under their id', async ({ assert, client, cleanup }) => {
    const { id, secret, receiver, application } = await aWaitingEvent(cleanup, respondWith(204))
    const admin = webhookAdmin(client, await anAdministratorOf(application), application)
    const tested = await admin.test(id)
    tested.assertStatus(201)
    assert.containSubset(tested.body().data, {
      type: 'webhook.test',
      status: 'pending',
      attempts: 0,
      payload: { type: 'webhook.test', data: { application: application.code, webhookId: id } },
    })
    await attemptDue(id)
    const list = await admin.deliveries(id, '?count=true')
    assert.equal(list.header('x-total-count'), '2')
    const [newest, oldest] = list.body().data
    assert.containSubset(newest, { id: tested.body().data.id, status: 'delivered', attempts: 1 })
    const page = await admin.deliveries(id, '?limit=1')
    assert.deepEqual(page.body().data, [newest])
    const next = /<[^?]+\?([^>]+)>; rel="next"/.exec(page.header('link')!)!
    assert.deepEqual((await admin.deliveries(id, `?${next[1]}`)).body().data, [oldest])
    const filtered = await admin.deliveries(id, '?status=delivered&type=access.changed')
    assert.deepEqual(filtered.body().data, [oldest])

    const replayed = await admin.replay(id, newest.id)
    replayed.assertStatus(200)
    assert.containSubset(replayed.body().data, { id: newest.id, status: 'pending', attempts: 1 })
    await attemptDue(id)
    const ids = receiver.requests.map(({ headers }) => headers['webhook-id'])
    assert.equal(ids.filter((each) => each === newest.messageId).length, 2)
    verified(receiver.requests.at(-1)!, secret)
    const audited = await AuditEntry.query().where({ targetKind: 'webhook', targetId: String(id) })
    assert.includeMembers(
      audited.map(({ action }) => action),
      ['webhook.tested', 'webhook.delivery_replayed']
    )
  })

  test('are repeated soon after a replay, and at once with a new URL', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { id, receiver, application } = await aWaitingEvent(cleanup, respondWith(500))
    const admin = webhookAdmin(client, await anAdministratorOf(application), application)
    const [{ id: deliveryId }] = await deliveriesTo(id)
    const pauseAfterAttempt = async (fields: object) => {
      await makeDue(id, { attempts: 12, ...fields })
      await attemptDue(id)
      return (await deliveriesTo(id))[0].dueAt!.diffNow().as('seconds')
    }
    assert.isAbove(
      await pauseAfterAttempt({ giveUpAt: DateTime.utc().plus({ hours: 40 }) }),
      14_400
    )
    ;(await admin.replay(id, deliveryId)).assertStatus(200)
    assert.isBelow(await pauseAfterAttempt({}), 15)

    const dueAt = DateTime.utc().plus({ hours: 6 })
    await makeDue(id, { dueAt })
    const elsewhere = await aReceiver(cleanup)
    ;(await admin.update(id, { url: elsewhere.url })).assertStatus(200)
    await attemptDue(id)
    assert.lengthOf(elsewhere.requests, 1)
    assert.lengthOf(receiver.requests, 2)
  })

  test('of other webhooks are out of reach, and removed content is not sent', async ({
    client,
    cleanup,
  }) => {
    const { id, application } = await aWaitingEvent(cleanup, respondWith(204))
    const foreign = await aWaitingEvent(cleanup, respondWith(204))
    const admin = webhookAdmin(client, await anAdministratorOf(application), application)
    const [theirs] = await deliveriesTo(foreign.id)
    const [own] = await deliveriesTo(id)
    ;(await admin.replay(id, theirs.id)).assertProblem(404, 'WEBHOOK_DELIVERY_NOT_FOUND')
    ;(await admin.replay(foreign.id, theirs.id)).assertProblem(404, 'WEBHOOK_NOT_FOUND')
    ;(await admin.deliveries(foreign.id)).assertProblem(404, 'WEBHOOK_NOT_FOUND')
    await own.merge({ content: null, status: 'dropped', dueAt: null }).save()
    ;(await admin.replay(id, own.id)).assertProblem(409, 'WEBHOOK_DELIVERY_NOT_REPLAYABLE')
  })

  test('beyond the limit are dropped, the oldest first, and counted', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { id, application } = await aWaitingEvent(cleanup, respondWith(204))
    const [oldest] = await deliveriesTo(id)
    const event = { webhookId: id, type: 'access.changed' as const, email: null }
    const data = { application: 'x', email: null, revision: 1 }
    const count = webhooksConfig.maxWaiting
    await storeEvents(
      Array.from({ length: count }, () => ({ ...event, data })),
      null
    )
    await new TrimSource().work()
    const dropped = await deliveriesTo(id).where('status', 'dropped')
    assert.deepEqual(
      dropped.map(({ id: deliveryId, content, dueAt }) => ({ deliveryId, content, dueAt })),
      [{ deliveryId: oldest.id, content: null, dueAt: null }]
    )
    const admin = webhookAdmin(client, await anAdministratorOf(application), application)
    const webhook = (await admin.show(id)).body().data
    assert.equal(webhook.droppedEvents, 1)
    assert.isString(webhook.lastDroppedAt)
  })
})
