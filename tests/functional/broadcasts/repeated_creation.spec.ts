import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import type Application from '#app/applications/models/application'
import { createBroadcast } from '#app/broadcasts/actions/create_broadcast'
import { createOncePerKey } from '#app/broadcasts/actions/create_once_per_key'
import Broadcast from '#app/broadcasts/models/broadcast'
import IdempotencyKey from '#app/delivery/models/idempotency_key'
import type { KeyClaim } from '#app/delivery/values/key_claim'
import { TEXT, pathOf } from '#tests/helpers/broadcasts'
import { anAdministratorOf, anApplication, signedIn, uniqueEmail } from '#tests/helpers/people'
import { refuseWrites } from '#tests/helpers/refuse_writes'

const LATER = '2099-01-01T00:00:00.000Z'

const aRequest = () => ({
  type: 'generic',
  data: TEXT,
  scheduledAt: LATER,
  audience: { kind: 'emails', emails: [uniqueEmail()] },
})

const broadcastsOf = ({ id }: Application) => Broadcast.query().where({ applicationId: id })

async function aScene(client: ApiClient) {
  const application = await anApplication()
  const admin = signedIn(client, await anAdministratorOf(application))
  const create = (body: object, key: string) =>
    admin.post(pathOf(application), body, { 'Idempotency-Key': key })
  return { application, admin, create }
}

test.group('Creating a broadcast with an Idempotency-Key', () => {
  test('creates one, however often it is repeated', async ({ assert, client }) => {
    const { application, create } = await aScene(client)
    const [body, key] = [aRequest(), randomUUID()]
    const responses = await Promise.all(Array.from({ length: 8 }, () => create(body, key)))
    for (const response of responses) response.assertStatus(202)
    assert.lengthOf(await broadcastsOf(application), 1)
    const [{ id }] = await broadcastsOf(application)
    for (const response of responses) assert.equal(response.body().data.id, id)
  })

  test('returns it as it is now, and keeps nothing about its recipients', async ({
    assert,
    client,
  }) => {
    const { application, admin, create } = await aScene(client)
    const [body, key] = [aRequest(), randomUUID()]
    const { id } = (await create(body, key)).body().data
    const kept = await IdempotencyKey.query().orderBy('id', 'desc').firstOrFail()
    assert.equal(kept.answer, JSON.stringify({ broadcastId: id }))
    await admin.post(pathOf(application, `${id}/cancel`), {})
    const again = await create(body, key)
    again.assertStatus(202)
    assert.containSubset(again.body().data, { id, status: 'cancelled' })
  })

  test('refuses the key for another request', async ({ assert, client }) => {
    const { application, create } = await aScene(client)
    const [body, key] = [aRequest(), randomUUID()]
    await create(body, key)
    const other = await create({ ...body, expectedTotal: 1 }, key)
    other.assertProblem(409, 'IDEMPOTENCY_KEY_REUSED')
    assert.lengthOf(await broadcastsOf(application), 1)
    const blank = await create(body, ' ')
    blank.assertProblem(400, 'VALIDATION_ERROR')
  })

  test('is another one in another application, and by another author', async ({
    assert,
    client,
  }) => {
    const [one, other] = [await aScene(client), await aScene(client)]
    const [body, key] = [aRequest(), randomUUID()]
    for (const { create } of [one, other]) (await create(body, key)).assertStatus(202)
    const colleague = signedIn(client, await anAdministratorOf(one.application))
    const path = pathOf(one.application)
    const byColleague = await colleague.post(path, body, { 'Idempotency-Key': key })
    byColleague.assertStatus(202)
    assert.lengthOf(await broadcastsOf(one.application), 2)
  })

  test('creates none whose key cannot be kept with it', async ({ assert, client }) => {
    const { application, create } = await aScene(client)
    const [body, key] = [aRequest(), randomUUID()]
    const end = await refuseWrites({
      table: 'idempotency_keys',
      event: 'update',
      when: 'new.answer is not null',
    })
    const failed = await create(body, key).finally(end)
    failed.assertProblem(500, 'INTERNAL_ERROR')
    assert.isEmpty(await broadcastsOf(application))
    ;(await create(body, key)).assertStatus(202)
    assert.lengthOf(await broadcastsOf(application), 1)
  })

  test('leaves the key free if it is refused or cannot be stored', async ({ assert, client }) => {
    const { application, create } = await aScene(client)
    const [body, key] = [aRequest(), randomUUID()]
    const refused = await create({ ...body, expectedTotal: 7 }, key)
    refused.assertProblem(409, 'AUDIENCE_CHANGED')
    const end = await refuseWrites({ table: 'broadcasts', event: 'insert', when: '1 = 1' })
    const failed = await create(body, key).finally(end)
    failed.assertProblem(500, 'INTERNAL_ERROR')
    ;(await create(body, key)).assertStatus(202)
    assert.lengthOf(await broadcastsOf(application), 1)
  })

  test('keeps the key if only the confirmation of the commit was lost', async ({ assert }) => {
    const application = await anApplication()
    const author = { email: uniqueEmail(), mayReachEveryone: true, mayReachOutsiders: true }
    const { audience, ...message } = aRequest()
    const request = { ...message, audience: { ...audience, kind: 'emails' as const } }
    const keyed = { key: randomUUID(), scope: author.email, content: 'the body' }
    const create = (key: KeyClaim) => createBroadcast(application.code, request, author, key)
    const createUnconfirmed = async (key: KeyClaim) => {
      await create(key)
      throw new Error('Connection terminated unexpectedly')
    }
    await assert.rejects(
      () => createOncePerKey(keyed, application.code, createUnconfirmed),
      'Connection terminated unexpectedly'
    )
    const { id } = await createOncePerKey(keyed, application.code, create)
    const stored = await broadcastsOf(application)
    assert.deepEqual(
      stored.map((broadcast) => broadcast.id),
      [id]
    )
  })
})
