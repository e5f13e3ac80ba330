import { test } from '@japa/runner'
import { DateTime } from 'luxon'
import webPush from 'web-push'
import { toDatabaseTimestamp } from '#core/database/columns'
import PushSubscription from '#app/notifications/models/push_subscription'
import {
  aType,
  postInternalNotification,
  sendNotification,
  subscribe,
} from '#tests/helpers/deliveries'
import { inPath } from '#tests/helpers/management'
import { anApplication, signedIn, superAdmin, uniqueEmail } from '#tests/helpers/people'
import { sameDatabase } from '#tests/helpers/same_database'
import { INTERNAL_KEY, VAPID, issuer } from '#tests/world/prepare'
import { type Browser, PushService } from '#tests/world/push_service'
import { startService } from '#tests/world/service'

const PUSH = '/api/profile/me/push'
const OTHER = webPush.generateVAPIDKeys()

let service: PushService

async function aPush(recipientEmail: string) {
  const application = await anApplication()
  const type = await aType(application, { emailEnabled: false })
  const data = { subject: 'Hello', body: 'Something happened' }
  return { recipientEmail, appCode: application.code, type: type.code, data }
}

/** As by a process with other keys, that long ago. */
async function madeWith(key: string | null, email: string, browser: Browser, age = {}) {
  const { id } = await subscribe(email, browser)
  const updatedAt = toDatabaseTimestamp(DateTime.utc().minus(age))
  await PushSubscription.query().where({ id }).update({ vapidPublicKey: key, updatedAt })
  return id
}

interface Answer {
  code?: string
  /** Of own push subscriptions. */
  response?: unknown[]
  /** Of internal routes. */
  data?: Record<string, unknown>
}

test.group('New VAPID keys', (group) => {
  group.setup(async () => {
    service = await new PushService().start()
    return () => service.stop()
  })

  test('end the subscriptions of the former ones', async ({ assert, client, cleanup }) => {
    const email = uniqueEmail()
    const browser = service.newBrowser()
    const body = await aPush(email)
    const subscribed = await signedIn(client, email).post(`${PUSH}/subscribe`, {
      subscription: browser.subscription,
    })
    subscribed.assertStatus(201)
    assert.equal((await sendNotification(client, body)).body().data.status, 'sent')

    const after = await startService({
      ...sameDatabase(),
      VAPID_PUBLIC_KEY: OTHER.publicKey,
      VAPID_PRIVATE_KEY: OTHER.privateKey,
    })
    cleanup(async () => void (await after.stop()))
    const call = async (path: string, given?: object) => {
      const response = await fetch(`${after.url}${path}`, {
        method: given ? 'POST' : 'GET',
        headers: {
          'content-type': 'application/json',
          ...(path.startsWith('/api/internal')
            ? { 'x-internal-api-key': INTERNAL_KEY }
            : { authorization: `Bearer ${await issuer.token(email)}` }),
        },
        body: given && JSON.stringify(given),
      })
      return { status: response.status, body: (await response.json()) as Answer }
    }
    assert.deepEqual((await call(`${PUSH}/subscriptions`)).body.response, [])
    const again = await call(`${PUSH}/subscribe`, { subscription: browser.subscription })
    assert.deepEqual([again.status, again.body.code], [409, 'VAPID_KEY_CHANGED'])
    const explained = await call('/api/internal/notifications/explain', body)
    assert.deepInclude(explained.body.data, { decision: 'skip', reason: 'NO_CHANNEL' })
    const { id } = subscribed.body().response
    assert.isNotNull(await PushSubscription.find(id), 'an explanation deletes nothing')
    const sent = await call('/api/internal/notifications', body)
    assert.deepInclude(sent.body.data, { status: 'skipped', statusReason: 'NO_CHANNEL' })
    assert.isNull(await PushSubscription.find(id))
    assert.lengthOf(browser.messages, 1)
  })

  test('leave browsers that subscribed with them to processes that have them', async ({
    assert,
    client,
  }) => {
    const email = uniqueEmail()
    const [newer, current] = [service.newBrowser(), service.newBrowser()]
    const id = await madeWith(OTHER.publicKey, email, newer)
    const body = await aPush(email)
    const skipped = (await sendNotification(client, body)).body().data
    assert.deepEqual([skipped.status, skipped.statusReason], ['skipped', 'NO_CHANNEL'])
    await madeWith(VAPID.publicKey, email, current)
    assert.equal((await sendNotification(client, body)).body().data.status, 'sent')
    assert.lengthOf(current.messages, 1)
    assert.isEmpty(newer.messages)
    assert.isNotNull(await PushSubscription.find(id))

    const list = await signedIn(client, email).get(`${PUSH}/subscriptions`)
    assert.lengthOf(list.body().response, 1)
    const user = `/api/users/${inPath(email)}`
    const devices = await superAdmin(client).get(`${user}/push-subscriptions`)
    assert.lengthOf(devices.body().data, 1)
    assert.equal((await superAdmin(client).get(user)).body().data.pushSubscriptions, 1)
  })

  test('delete former subscriptions, but not those of unknown keys', async ({ assert, client }) => {
    const email = uniqueEmail()
    const [former, unknown] = [service.newBrowser(), service.newBrowser()]
    const formerId = await madeWith(OTHER.publicKey, email, former, { days: 1 })
    const unknownId = await madeWith(null, email, unknown, { days: 1 })
    const body = await aPush(email)
    unknown.response = 403
    assert.equal((await sendNotification(client, body)).body().data.status, 'failed')
    assert.isNull(await PushSubscription.find(formerId))
    assert.isNull((await PushSubscription.findOrFail(unknownId)).vapidPublicKey)
    unknown.response = 201
    assert.equal((await sendNotification(client, body)).body().data.status, 'sent')
    const proven = await PushSubscription.findOrFail(unknownId)
    assert.equal(proven.vapidPublicKey, VAPID.publicKey)
    assert.isEmpty(former.messages)
  })

  test('count as no subscription in explanations', async ({ assert, client }) => {
    const email = uniqueEmail()
    await madeWith(OTHER.publicKey, email, service.newBrowser())
    const response = await postInternalNotification(client, '/explain', await aPush(email))
    const { decision, reason } = response.body().data
    assert.deepEqual([decision, reason], ['skip', 'NO_CHANNEL'])
  })

  test('are not those of a browser that subscribed with others', async ({ assert, client }) => {
    const person = signedIn(client, uniqueEmail())
    const { subscription } = service.newBrowser()
    const given = (vapidPublicKey: string) => ({ subscription, vapidPublicKey })
    const refused = await person.post(`${PUSH}/subscribe`, given(OTHER.publicKey))
    refused.assertProblem(409, 'VAPID_KEY_CHANGED')
    assert.isNull(await PushSubscription.findBy('endpoint', subscription.endpoint))
    const invalid = await person.post(`${PUSH}/subscribe`, given('AAAA'))
    invalid.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'vapidPublicKey' }] })
    const accepted = await person.post(`${PUSH}/subscribe`, given(`${VAPID.publicKey}=`))
    accepted.assertStatus(201)
    const { vapidPublicKey } = await PushSubscription.findOrFail(accepted.body().response.id)
    assert.equal(vapidPublicKey, VAPID.publicKey)
  })
})
