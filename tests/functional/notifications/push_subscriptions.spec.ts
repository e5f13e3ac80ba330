import { createECDH, randomBytes } from 'node:crypto'
import { test } from '@japa/runner'
import { DateTime } from 'luxon'
import PushSubscription from '#app/notifications/models/push_subscription'
import { signedIn, uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { VAPID } from '#tests/world/prepare'

const PUSH = '/api/profile/me/push'
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const keys = () => ({
  p256dh: createECDH('prime256v1').generateKeys().toString('base64url'),
  auth: randomBytes(16).toString('base64url'),
})
const anEndpoint = () => `https://push.example/${uniqueCode('send')}`
const aSubscription = (fields: object = {}) => ({
  subscription: { endpoint: anEndpoint(), keys: keys(), ...fields },
  deviceLabel: 'Firefox on Linux',
})

test.group('Push subscriptions', () => {
  test('offer the public key to browsers', async ({ client, assert }) => {
    const response = await signedIn(client, uniqueEmail()).get(`${PUSH}/vapid-key`)
    response.assertStatus(200)
    assert.deepEqual(response.body(), {
      success: true,
      data: { vapidPublicKey: VAPID.publicKey },
    })
  })

  test('are created with 201 and updated with 200', async ({ client, assert }) => {
    const person = signedIn(client, uniqueEmail())
    const body = aSubscription()
    const first = await person.post(`${PUSH}/subscribe`, body)
    first.assertStatus(201)
    const { id, createdAt, updatedAt } = first.body().response
    assert.match(createdAt, TIMESTAMP)
    assert.match(updatedAt, TIMESTAMP)
    const { endpoint } = body.subscription
    const expected = {
      id,
      endpoint,
      deviceLabel: 'Firefox on Linux',
      lastUsedAt: null,
      createdAt,
      updatedAt,
    }
    assert.deepEqual(first.body(), { code: 'OK', response: expected })
    const list = await person.get(`${PUSH}/subscriptions`)
    list.assertStatus(200)
    assert.deepEqual(list.body(), { code: 'OK', response: [expected] })

    const renewed = keys()
    const again = await person.post(`${PUSH}/subscribe`, {
      subscription: { endpoint, keys: renewed, expirationTime: null },
    })
    again.assertStatus(200)
    const { updatedAt: later, ...same } = again.body().response
    assert.deepEqual({ ...same, updatedAt }, expected)
    assert.isAtLeast(Date.parse(later), Date.parse(updatedAt))
    const stored = await PushSubscription.findOrFail(id)
    assert.deepEqual({ p256dh: stored.p256Dh, auth: stored.auth }, renewed)
    const labelled = await person.post(`${PUSH}/subscribe`, { ...body, deviceLabel: 'Phone' })
    labelled.assertStatus(200)
    assert.equal(labelled.body().response.deviceLabel, 'Phone')
  })

  test('move to the user who subscribes last and keep nothing of the previous one', async ({
    client,
    assert,
  }) => {
    const [ada, bob] = [signedIn(client, uniqueEmail()), signedIn(client, uniqueEmail())]
    const body = aSubscription()
    const created = await ada.post(`${PUSH}/subscribe`, body)
    const { id } = created.body().response
    await PushSubscription.query().where('id', id).update({ lastUsedAt: DateTime.utc().toISO() })

    const moved = await bob.post(`${PUSH}/subscribe`, { subscription: body.subscription })
    moved.assertStatus(200)
    assert.equal(moved.body().response.deviceLabel, '')
    assert.isNull(moved.body().response.lastUsedAt)
    assert.deepEqual((await ada.get(`${PUSH}/subscriptions`)).body().response, [])
    assert.lengthOf((await bob.get(`${PUSH}/subscriptions`)).body().response, 1)
  })

  test('are created only once by concurrent requests', async ({ client, assert }) => {
    const people = [signedIn(client, uniqueEmail()), signedIn(client, uniqueEmail())]
    const body = aSubscription()
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, index) => people[index % 2].post(`${PUSH}/subscribe`, body))
    )
    const statuses = responses.map((response) => response.status()).sort()
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 200, 200, 201])
    const lists = await Promise.all(people.map((person) => person.get(`${PUSH}/subscriptions`)))
    assert.lengthOf(
      lists.flatMap((list) => list.body().response),
      1
    )
  })

  test('are deleted by endpoint or by id', async ({ client, assert }) => {
    const person = signedIn(client, uniqueEmail())
    const body = aSubscription()
    await person.post(`${PUSH}/subscribe`, body)
    const second = await person.post(`${PUSH}/subscribe`, aSubscription())
    const { endpoint } = body.subscription
    const removed = await person.post(`${PUSH}/unsubscribe`, { endpoint })
    removed.assertStatus(200)
    assert.deepEqual(removed.body(), { code: 'OK', response: { removed: true } })
    const again = await person.post(`${PUSH}/unsubscribe`, { endpoint })
    assert.deepEqual(again.body(), { code: 'OK', response: { removed: false } })

    const { id } = second.body().response
    const deleted = await person.delete(`${PUSH}/subscriptions/${id}`)
    deleted.assertStatus(204)
    assert.equal(deleted.text(), '')
    const gone = await person.delete(`${PUSH}/subscriptions/${id}`)
    gone.assertProblem(404, 'SUBSCRIPTION_NOT_FOUND')
    assert.deepEqual((await person.get(`${PUSH}/subscriptions`)).body().response, [])
    const malformed = await person.delete(`${PUSH}/subscriptions/first`)
    malformed.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'id' }] })
  })

  test('are not visible to others, who cannot delete them', async ({ client, assert }) => {
    const owner = signedIn(client, uniqueEmail())
    const stranger = signedIn(client, uniqueEmail())
    const body = aSubscription()
    const created = await owner.post(`${PUSH}/subscribe`, body)
    const deleted = await stranger.delete(`${PUSH}/subscriptions/${created.body().response.id}`)
    deleted.assertProblem(404, 'SUBSCRIPTION_NOT_FOUND')
    const { endpoint } = body.subscription
    const removed = await stranger.post(`${PUSH}/unsubscribe`, { endpoint })
    assert.deepEqual(removed.body().response, { removed: false })
    assert.deepEqual((await stranger.get(`${PUSH}/subscriptions`)).body().response, [])
    assert.lengthOf((await owner.get(`${PUSH}/subscriptions`)).body().response, 1)
  })

  test('accept a local http endpoint outside production', async ({ client }) => {
    const person = signedIn(client, uniqueEmail())
    for (const host of ['localhost', '127.0.0.1', '[::1]']) {
      const endpoint = `http://${host}:9/${uniqueCode()}`
      const response = await person.post(`${PUSH}/subscribe`, aSubscription({ endpoint }))
      response.assertStatus(201)
    }
  })

  test('reject unusable endpoints and keys', async ({ client, assert }) => {
    const person = signedIn(client, uniqueEmail())
    const good = keys()
    const endpoints = [
      'http://push.example/x',
      'http://127.0.0.1.evil.example/x',
      'http://localhost.evil.example/x',
      'ftp://push.example/x',
      'https://user:pass@push.example/x',
      // Addresses that must never be called, in various spellings.
      'https://169.254.169.254/latest/meta-data',
      'https://0xa9fea9fe/latest/meta-data',
      'https://[::ffff:169.254.169.254]/x',
      'https://[fe80::1]/x',
      'https://[fd00:ec2::254]/x',
      'https://168.63.129.16/x',
      'https://10.0.0.1/x',
      'https://192.168.1.1./x',
      'https://0.0.0.0/x',
      '/relative',
      'not a url',
      '',
      5,
      `https://push.example/${'x'.repeat(2_048)}`,
    ]
    for (const endpoint of endpoints) {
      const response = await person.post(`${PUSH}/subscribe`, aSubscription({ endpoint }))
      response.assertProblem(400, 'VALIDATION_ERROR', {
        errors: [{ field: 'subscription.endpoint' }],
      })
    }
    const point = Buffer.from(good.p256dh, 'base64url')
    const publicKeys = [
      point.subarray(0, 64),
      Buffer.concat([point, Buffer.from([0])]),
      Buffer.concat([Buffer.from([2]), point.subarray(1)]),
      // Not on the curve
      Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 1)]),
    ].map((bytes) => bytes.toString('base64url'))
    for (const p256dh of [...publicKeys, `${good.p256dh}!`, '', 5, null]) {
      const response = await person.post(
        `${PUSH}/subscribe`,
        aSubscription({ keys: { ...good, p256dh } })
      )
      response.assertProblem(400, 'VALIDATION_ERROR', {
        errors: [{ field: 'subscription.keys.p256dh' }],
      })
    }
    for (const auth of [randomBytes(15).toString('base64url'), 'AAAA+/AAAAAAAAAAAAAAAA', '', 5]) {
      const response = await person.post(
        `${PUSH}/subscribe`,
        aSubscription({ keys: { ...good, auth } })
      )
      response.assertProblem(400, 'VALIDATION_ERROR', {
        errors: [{ field: 'subscription.keys.auth' }],
      })
    }
    const bare = await person.post(`${PUSH}/subscribe`, {})
    bare.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'subscription' }] })
    const nothing = await person.post(`${PUSH}/unsubscribe`, {})
    nothing.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'endpoint' }] })
    assert.deepEqual((await person.get(`${PUSH}/subscriptions`)).body().response, [])
  })

  test('store padded keys without padding', async ({ client, assert }) => {
    const given = keys()
    const padded = { p256dh: `${given.p256dh}=`, auth: `${given.auth}==` }
    const response = await signedIn(client, uniqueEmail()).post(
      `${PUSH}/subscribe`,
      aSubscription({ keys: padded })
    )
    response.assertStatus(201)
    const stored = await PushSubscription.findOrFail(response.body().response.id)
    assert.deepEqual({ p256dh: stored.p256Dh, auth: stored.auth }, given)
  })

  test('require a token', async ({ client }) => {
    const responses = [
      await client.get(`${PUSH}/vapid-key`),
      await client.get(`${PUSH}/subscriptions`),
      await client.post(`${PUSH}/subscribe`).json(aSubscription()),
      await client.post(`${PUSH}/unsubscribe`).json({ endpoint: anEndpoint() }),
      await client.delete(`${PUSH}/subscriptions/1`),
    ]
    for (const response of responses) response.assertProblem(401, 'UNAUTHENTICATED')
  })
})
