import { test } from '@japa/runner'
import { createHash, randomUUID } from 'node:crypto'
import { DateTime } from 'luxon'
import {
  aTemplate,
  aType,
  minutesAgo,
  postInternalNotification,
  notificationsOf,
  sendNotification,
} from '#tests/helpers/deliveries'
import Application from '#app/applications/models/application'
import { runOncePerKey } from '#app/delivery/actions/run_once_per_key'
import { sendOne } from '#app/delivery/actions/send_one'
import { storeResponse } from '#app/delivery/actions/store_response'
import IdempotencyKey from '#app/delivery/models/idempotency_key'
import type { KeyClaim } from '#app/delivery/values/key_claim'
import { anApplication, uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { refuseWrites } from '#tests/helpers/refuse_writes'
import { smtp } from '#tests/world/prepare'

async function aRequest() {
  const application = await anApplication()
  const recipientEmail = uniqueEmail()
  const data = { subject: 'Hello', body: 'Once' }
  return { recipientEmail, appCode: application.code, type: 'generic', data }
}

const withKey = (key: string) => ({ 'Idempotency-Key': key })

/** Makes a key older. */
async function age(minutes: number, answer?: null) {
  const row = await IdempotencyKey.query().orderBy('id', 'desc').firstOrFail()
  row.createdAt = minutesAgo(minutes)
  if (answer === null) row.answer = null
  await row.save()
}

test.group('Idempotency-Key', () => {
  test('sends one mail and returns one response for 50 concurrent requests', async ({
    assert,
    client,
  }) => {
    const request = await aRequest()
    const key = randomUUID()
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => sendNotification(client, request, withKey(key)))
    )
    for (const response of responses) response.assertStatus(200)
    const bodies = new Set(responses.map((response) => response.text()))
    assert.lengthOf([...bodies], 1)
    assert.lengthOf(smtp.mailsTo(request.recipientEmail), 1)
    assert.lengthOf(await notificationsOf(request.recipientEmail), 1)
  })

  test('rejects a different request with the same key', async ({ assert, client }) => {
    const request = await aRequest()
    const key = randomUUID()
    await sendNotification(client, request, withKey(key))
    const other = { ...request, data: { subject: 'Other', body: 'x' } }
    const response = await sendNotification(client, other, withKey(key))
    response.assertProblem(409, 'IDEMPOTENCY_KEY_REUSED')
    const bulk = await postInternalNotification(
      client,
      '/bulk',
      { notifications: [request] },
      withKey(key)
    )
    bulk.assertProblem(409, 'IDEMPOTENCY_KEY_REUSED')
    assert.lengthOf(smtp.mailsTo(request.recipientEmail), 1)
  })

  test('covers bulk requests, including rejected items', async ({ assert, client }) => {
    const request = await aRequest()
    const notifications = [request, { ...request, recipientEmail: 'nobody' }]
    const key = randomUUID()
    const first = await postInternalNotification(client, '/bulk', { notifications }, withKey(key))
    const second = await postInternalNotification(client, '/bulk', { notifications }, withKey(key))
    assert.deepEqual(second.body(), first.body())
    assert.lengthOf(smtp.mailsTo(request.recipientEmail), 1)
  })

  test('covers bulk requests after one of their applications was created or deleted', async ({
    assert,
    client,
  }) => {
    const [kept, deleted] = [await aRequest(), await aRequest()]
    const created = { ...kept, appCode: uniqueCode() }
    const notifications = [kept, deleted, created]
    const key = randomUUID()
    const send = () => postInternalNotification(client, '/bulk', { notifications }, withKey(key))
    const first = (await send()).body()
    assert.containSubset(first.data, [{ status: 'sent' }, { status: 'sent' }, { id: null }])
    await anApplication({ code: created.appCode })
    assert.deepEqual((await send()).body(), first)
    await (await Application.findByOrFail('code', deleted.appCode)).delete()
    assert.deepEqual((await send()).body(), first)
    assert.lengthOf(smtp.mailsTo(kept.recipientEmail), 1)
  })

  test('can be used again after a rejected request', async ({ assert, client }) => {
    const request = await aRequest()
    const key = randomUUID()
    const refused = await sendNotification(
      client,
      { ...request, recipientEmail: 'nobody' },
      withKey(key)
    )
    refused.assertProblem(400, 'VALIDATION_ERROR')
    const response = await sendNotification(client, request, withKey(key))
    assert.equal(response.body().data.status, 'sent')
  })

  test('can be used again after a bulk request of which every item was rejected', async ({
    assert,
    client,
  }) => {
    const request = await aRequest()
    const application = await Application.findByOrFail('code', request.appCode)
    const type = await aType(application)
    const notifications = [
      { ...request, type: type.code, template: 'later' },
      { ...request, recipientEmail: 'nobody' },
    ]
    const key = randomUUID()
    const send = () => postInternalNotification(client, '/bulk', { notifications }, withKey(key))
    const refused = (await send()).body().data
    assert.containSubset(refused, [{ id: null, code: 'UNKNOWN_TEMPLATE' }, { id: null }])
    const text = { subject: 'Hello', body: '<p>Once</p>' }
    await aTemplate(type, { en: text }, { key: 'later' })
    const first = await send()
    assert.containSubset(first.body().data, [{ status: 'sent' }, { id: null }])
    assert.deepEqual((await send()).body(), first.body())
    assert.lengthOf(smtp.mailsTo(request.recipientEmail), 1)
  })

  test('still counts if it was stored before keys had a scope', async ({ assert, client }) => {
    const request = await aRequest()
    const key = randomUUID()
    const first = await sendNotification(client, request, withKey(key))
    const row = await IdempotencyKey.query().orderBy('id', 'desc').firstOrFail()
    await row.merge({ keyDigest: createHash('sha256').update(key).digest('hex') }).save()
    const again = await sendNotification(client, request, withKey(key))
    assert.deepEqual(again.body(), first.body())
    assert.lengthOf(smtp.mailsTo(request.recipientEmail), 1)
    const other = { ...request, data: { subject: 'Other', body: 'x' } }
    const fresh = await sendNotification(client, other, withKey(key))
    assert.equal(fresh.body().data.status, 'sent')
  })

  test('expires after a day', async ({ assert, client }) => {
    const request = await aRequest()
    const key = randomUUID()
    await sendNotification(client, request, withKey(key))
    await age(23 * 60)
    await sendNotification(client, request, withKey(key))
    assert.lengthOf(smtp.mailsTo(request.recipientEmail), 1)
    await age(25 * 60)
    const other = { ...request, data: { subject: 'Other', body: 'x' } }
    ;(await sendNotification(client, other, withKey(key))).assertStatus(200)
    assert.lengthOf(smtp.mailsTo(request.recipientEmail), 2)
  })

  test('is released after its process died', async ({ assert, client }) => {
    const request = await aRequest()
    const key = randomUUID()
    await sendNotification(client, request, withKey(key))
    await age(5, null)
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => sendNotification(client, request, withKey(key)))
    )
    for (const response of responses) response.assertStatus(200)
    assert.lengthOf(smtp.mailsTo(request.recipientEmail), 2)
  })

  test('reports a sent mail, and does not repeat it, if it cannot be recorded', async ({
    assert,
    client,
    cleanup,
  }) => {
    const request = await aRequest()
    const key = randomUUID()
    const takeAgain = await refuseWrites({
      table: 'deliveries',
      event: 'insert',
      when: `(select email from notifications where id = new.notification_id) = '${request.recipientEmail}'`,
    })
    cleanup(takeAgain)
    const first = await sendNotification(client, request, withKey(key))
    first.assertStatus(200)
    assert.containSubset(first.body().data, { status: 'sent', statusReason: null })
    const second = await sendNotification(client, request, withKey(key))
    assert.deepEqual(second.body(), first.body())
    assert.lengthOf(smtp.mailsTo(request.recipientEmail), 1)
    const [recorded] = await notificationsOf(request.recipientEmail)
    assert.equal(recorded.status, 'sent')
  })

  test('stays taken if its response cannot be stored', async ({ assert, client, cleanup }) => {
    const request = await aRequest()
    const key = randomUUID()
    const { id } = await Application.withCode(request.appCode)
    const keyDigest = createHash('sha256').update(`${id}\n${key}`).digest('hex')
    const takeAgain = await refuseWrites({
      table: 'idempotency_keys',
      event: 'update',
      when: `new.key_digest = '${keyDigest}'`,
    })
    cleanup(takeAgain)
    const response = await sendNotification(client, request, withKey(key))
    response.assertStatus(200)
    assert.equal(response.body().data.status, 'sent')
    assert.containSubset(await IdempotencyKey.findBy({ keyDigest }), { answer: null })
  })

  test('leads to the stored send if only the confirmation of its commit was lost', async ({
    assert,
  }) => {
    const request = { ...(await aRequest()), sendAt: DateTime.utc().plus({ days: 1 }).toISO() }
    const keyed = { key: randomUUID(), scope: request.appCode, content: 'the body' }
    const send = (key: KeyClaim) => sendOne(request, { kind: 'platform' }, key)
    const sendUnconfirmed = async (key: KeyClaim) => {
      await send(key)
      throw new Error('Connection terminated unexpectedly')
    }
    const options = { store: storeResponse }
    await assert.rejects(
      () => runOncePerKey(keyed, sendUnconfirmed, options),
      'Connection terminated unexpectedly'
    )
    await age(5)
    const { id } = await runOncePerKey(keyed, send, options)
    const stored = await notificationsOf(request.recipientEmail)
    assert.deepEqual(
      stored.map((notification) => notification.id),
      [id]
    )
  })

  test('has 1 to 255 characters', async ({ assert, client }) => {
    const request = await aRequest()
    const tooLong = await sendNotification(client, request, withKey('k'.repeat(256)))
    tooLong.assertProblem(400, 'VALIDATION_ERROR')
    const empty = await sendNotification(client, request, withKey(''))
    empty.assertProblem(400, 'VALIDATION_ERROR')
    const [error] = empty.body().details.errors
    assert.containSubset(error, { rule: 'minLength', meta: { min: 1, max: 255 } })
    assert.isEmpty(await notificationsOf(request.recipientEmail))
    const longest = await sendNotification(client, request, withKey(randomUUID().padEnd(255, 'k')))
    longest.assertStatus(200)
  })
})
