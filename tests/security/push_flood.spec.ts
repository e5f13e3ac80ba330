import { createECDH, randomBytes } from 'node:crypto'
import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { toDatabaseTimestamp } from '#core/database/columns'
import { readRecipients } from '#app/delivery/actions/read_recipients'
import { PushLimitSource } from '#app/notifications/background/push_limit_source'
import PushSubscription from '#app/notifications/models/push_subscription'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import { aType, minutesAgo, sendNotification, subscribe } from '#tests/helpers/deliveries'
import { anApplication, signedIn, uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { TestHttpServer } from '#tests/world/http_server'
import { PushService } from '#tests/world/push_service'

const PUSH = '/api/profile/me/push'
const LIMIT = 20
const TEXT = { subject: 'Hello', body: 'Something happened' }

const keys = () => ({
  p256dh: createECDH('prime256v1').generateKeys().toString('base64url'),
  auth: randomBytes(16).toString('base64url'),
})
const anEndpoint = () => `https://push.example/${uniqueCode('send')}`
const aSubscription = (endpoint = anEndpoint()) => ({ subscription: { endpoint, keys: keys() } })

async function push(client: ApiClient, recipientEmail: string) {
  const application = await anApplication()
  const type = await aType(application, { emailEnabled: false })
  const body = { recipientEmail, appCode: application.code, type: type.code, data: TEXT }
  const response = await sendNotification(client, body)
  response.assertStatus(200)
  return response.body().data
}

const endpointsOf = async (client: ApiClient, email: string): Promise<string[]> => {
  const response = await signedIn(client, email).get(`${PUSH}/subscriptions`)
  return response.body().response.map(({ endpoint }: { endpoint: string }) => endpoint)
}

async function someoneSignedIn(client: ApiClient) {
  const email = uniqueEmail()
  await signedIn(client, email).get('/api/profile/me')
  return email
}

/** Rows from before the limit existed. The browsers subscribe last. */
async function manySubscriptions(email: string, count: number) {
  const user = await ensureUser({ email })
  const now = toDatabaseTimestamp(minutesAgo(60))
  const one = keys()
  for (let first = 0; first < count; first += 500) {
    const rows = Array.from({ length: Math.min(500, count - first) }, () => {
      const endpoint = anEndpoint()
      return {
        user_id: user.id,
        idp_user_id: user.idpUserId,
        endpoint,
        endpoint_digest: PushSubscription.digestOf(endpoint),
        ...one,
        created_at: now,
        updated_at: now,
      }
    })
    await db.table('push_subscriptions').multiInsert(rows)
  }
  return user
}

async function storedFor({ id }: { id: number }) {
  const [{ total }] = await db.from('push_subscriptions').where('user_id', id).count('* as total')
  return Number(total)
}

test.group('A user with too many subscriptions', (group) => {
  let service: PushService

  group.setup(async () => {
    service = await new PushService().start()
    return () => service.stop()
  })

  test('keeps 20 browsers: a new one replaces the oldest', async ({ assert, client }) => {
    const email = uniqueEmail()
    const person = signedIn(client, email)
    const endpoints = Array.from({ length: LIMIT + 3 }, anEndpoint)
    for (const endpoint of endpoints) {
      const response = await person.post(`${PUSH}/subscribe`, aSubscription(endpoint))
      response.assertStatus(201)
    }
    assert.deepEqual(await endpointsOf(client, email), endpoints.slice(3))
    assert.equal(await storedFor(await ensureUser({ email })), LIMIT)
  })

  test('keeps 20 browsers even with concurrent requests', async ({ assert, client }) => {
    const email = uniqueEmail()
    const person = signedIn(client, email)
    await Promise.all(
      Array.from({ length: 50 }, () => person.post(`${PUSH}/subscribe`, aSubscription()))
    )
    assert.equal(await storedFor(await ensureUser({ email })), LIMIT)
  })

  test('makes no send read or use more than the newest 20', async ({ assert, client }) => {
    const email = await someoneSignedIn(client)
    await manySubscriptions(email, 3_000)
    const browsers = Array.from({ length: LIMIT }, () => service.newBrowser())
    for (const browser of browsers) await subscribe(email, browser)
    assert.equal((await push(client, email)).status, 'sent')
    assert.deepEqual(
      browsers.map(({ messages }) => messages.length),
      browsers.map(() => 1)
    )
    assert.lengthOf(await endpointsOf(client, email), LIMIT)
  })

  test('costs a send no more with 20,000 rows than with 20', async ({ assert }) => {
    const application = await anApplication()
    const type = await aType(application)
    const reads = async (email: string) => {
      const request = { recipientEmail: email, appCode: application.code, type: type.code }
      const read = () => readRecipients([{ request, application, type, template: null }])
      const [facts] = await read()
      assert.lengthOf(facts.subscriptions, LIMIT)
      const before = process.cpuUsage()
      for (let round = 0; round < 50; round++) await read()
      const { user, system } = process.cpuUsage(before)
      return user + system
    }
    const [few, many] = [uniqueEmail(), uniqueEmail()]
    await manySubscriptions(few, LIMIT)
    await manySubscriptions(many, 20_000)
    await db.rawQuery('analyze')
    await reads(few)
    const [cost, flooded] = [await reads(few), await reads(many)]
    assert.isBelow(flooded / cost, 5)
  })

  test('loses the browsers above 20 in small steps', async ({ assert, client }) => {
    const email = await someoneSignedIn(client)
    const user = await manySubscriptions(email, 1_700)
    const expected = await endpointsOf(client, email)
    assert.lengthOf(expected, LIMIT)
    const source = new PushLimitSource()
    const counts: number[] = []
    for (let more = true; more;) {
      more = await source.work()
      counts.push(await storedFor(user))
    }
    assert.equal(counts.at(-1), LIMIT)
    const steps = counts.slice(1).map((count, index) => counts[index] - count)
    assert.isAtMost(Math.max(...steps), 500)
    assert.deepEqual(await endpointsOf(client, email), expected)
    assert.isFalse(await source.work(), 'it rests afterwards')
  })

  test('is found in few steps, however far apart the ids of users are', async ({
    assert,
    cleanup,
  }) => {
    const email = uniqueEmail()
    const { id } = await ensureUser({ email })
    const far = { id: 2_000_000_000 }
    await db.from('users').where({ id }).update(far)
    cleanup(async () => void (await db.from('users').where(far).delete()))
    await manySubscriptions(email, LIMIT + 1)
    const source = new PushLimitSource()
    let steps = 1
    while (steps < 100 && (await source.work())) steps++
    assert.isBelow(steps, 100)
    assert.equal(await storedFor(far), LIMIT)
  })

  test('is reached in the working browser even if all others hang', async ({
    assert,
    client,
    cleanup,
  }) => {
    const silent = await new TestHttpServer(() => {}).start()
    cleanup(() => silent.stop())
    const email = uniqueEmail()
    for (let nth = 1; nth < LIMIT; nth++) {
      const row = await subscribe(email, service.newBrowser())
      const endpoint = `${silent.url}/${nth}`
      const endpointDigest = PushSubscription.digestOf(`${endpoint}${row.id}`)
      await row.merge({ endpoint, endpointDigest }).save()
    }
    const browser = service.newBrowser()
    await subscribe(email, browser)
    assert.equal((await push(client, email)).status, 'sent')
    assert.lengthOf(browser.messages, 1)
    assert.lengthOf(silent.requests, LIMIT - 1)
  }).timeout(30_000)

  test('cannot subscribe with fields of any length', async ({ client }) => {
    const person = signedIn(client, uniqueEmail())
    const long = 'x'.repeat(3_000)
    for (const [field, body] of Object.entries({
      'subscription.endpoint': aSubscription(`${anEndpoint()}${long}`),
      'subscription.keys.auth': {
        subscription: { endpoint: anEndpoint(), keys: { ...keys(), auth: long } },
      },
      'subscription.keys.p256dh': {
        subscription: { endpoint: anEndpoint(), keys: { ...keys(), p256dh: long } },
      },
      'deviceLabel': { ...aSubscription(), deviceLabel: long },
    })) {
      const response = await person.post(`${PUSH}/subscribe`, body)
      response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field }] })
    }
  })
})

test.group('A user who knows the endpoint of someone else’s browser', (group) => {
  let service: PushService

  group.setup(async () => {
    service = await new PushService().start()
    return () => service.stop()
  })

  test('cannot take it over without the keys of that browser', async ({ assert, client }) => {
    const [owner, thief] = [uniqueEmail('owner'), uniqueEmail('thief')]
    const browser = service.newBrowser()
    const subscribed = await signedIn(client, owner).post(`${PUSH}/subscribe`, {
      subscription: browser.subscription,
    })
    subscribed.assertStatus(201)
    const { endpoint, keys: own } = browser.subscription
    for (const stolen of [
      keys(),
      { ...own, auth: keys().auth },
      { ...own, p256dh: keys().p256dh },
    ]) {
      const refused = await signedIn(client, thief).post(`${PUSH}/subscribe`, {
        subscription: { endpoint, keys: stolen },
      })
      refused.assertProblem(409, 'ENDPOINT_TAKEN')
    }
    for (const sameEndpoint of [
      endpoint.replace('http://', 'HTTP://'),
      endpoint.replace('127.0.0.1', '127.1'),
      `${endpoint}#thief`,
      `${endpoint}?`,
    ]) {
      const refused = await signedIn(client, thief).post(`${PUSH}/subscribe`, {
        subscription: { endpoint: sameEndpoint, keys: keys() },
      })
      refused.assertProblem(409, 'ENDPOINT_TAKEN')
    }
    assert.deepEqual(await endpointsOf(client, owner), [endpoint])
    assert.deepEqual(await endpointsOf(client, thief), [])
    assert.equal((await push(client, owner)).status, 'sent')
    assert.lengthOf(browser.messages, 1)
  })

  test('can take it over with the keys, as after signing in on the same browser', async ({
    assert,
    client,
  }) => {
    const [before, after] = [uniqueEmail(), uniqueEmail()]
    const browser = service.newBrowser()
    const body = { subscription: browser.subscription }
    const first = await signedIn(client, before).post(`${PUSH}/subscribe`, body)
    const second = await signedIn(client, after).post(`${PUSH}/subscribe`, body)
    second.assertStatus(200)
    assert.notEqual(second.body().response.id, first.body().response.id)
    assert.deepEqual(await endpointsOf(client, before), [])
    assert.deepEqual(await endpointsOf(client, after), [browser.subscription.endpoint])
  })
})

test.group('A push endpoint', () => {
  test('cannot use a port of another protocol', async ({ client }) => {
    const person = signedIn(client, uniqueEmail())
    for (const port of [22, 25, 465, 587, 80]) {
      const endpoint = `https://push.example:${port}/x`
      const response = await person.post(`${PUSH}/subscribe`, aSubscription(endpoint))
      response.assertProblem(400, 'VALIDATION_ERROR', {
        errors: [{ field: 'subscription.endpoint' }],
      })
    }
    const usual = await person.post(
      `${PUSH}/subscribe`,
      aSubscription('https://push.example:8443/x')
    )
    usual.assertStatus(201)
  })
})
