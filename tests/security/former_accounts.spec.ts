import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import { subscribeToPush } from '#app/notifications/actions/subscribe_to_push'
import PushSubscription from '#app/notifications/models/push_subscription'
import User from '#app/profiles/models/user'
import { aType, sendNotification } from '#tests/helpers/deliveries'
import { lifecycleEvent } from '#tests/helpers/management'
import { anApplication, signedIn, superAdmin, uniqueEmail } from '#tests/helpers/people'
import { uniqueId } from '#tests/helpers/provider_events'
import { type Browser, PushService } from '#tests/world/push_service'

const SUBSCRIPTIONS = '/api/profile/me/push/subscriptions'
let service: PushService

type Person = ReturnType<typeof signedIn>

const subscribe = (person: Person, { subscription }: Browser) =>
  person.post('/api/profile/me/push/subscribe', { subscription })

/** Someone whose browser is subscribed. */
async function aSubscriber(client: ApiClient) {
  const person = signedIn(client, uniqueEmail())
  const browser = service.newBrowser()
  const response = await subscribe(person, browser)
  response.assertStatus(201)
  return { person, browser, email: person.email }
}

const successorOf = (client: ApiClient, email: string) =>
  signedIn(client, email, { claims: { sub: uniqueId() } })

/** Sends a push message and returns what each of the browsers got. */
async function push(client: ApiClient, email: string, browsers: Browser[]) {
  const application = await anApplication()
  const type = await aType(application, { emailEnabled: false })
  const data = { subject: 'Your code', body: '1234' }
  const counts = browsers.map(({ messages }) => messages.length)
  const response = await sendNotification(client, {
    recipientEmail: email,
    appCode: application.code,
    type: type.code,
    data,
  })
  response.assertStatus(200)
  return browsers.map(({ messages }, index) => messages.length - counts[index])
}

test.group('The browser of a former account', (group) => {
  group.setup(async () => {
    service = await new PushService().start()
    return () => service.stop()
  })

  /** How another account gets the record. */
  const handOver = {
    'after the account was removed': async (client: ApiClient, email: string) => {
      await lifecycleEvent(client, 'user.removed', email)
      await successorOf(client, email).get('/api/profile/me')
      const path = `/api/users/${encodeURIComponent(email)}/active`
      return superAdmin(client).put(path, { active: true })
    },
    'after the record was released': (client: ApiClient, email: string) =>
      superAdmin(client).put(`/api/users/${encodeURIComponent(email)}/identity`, {
        idpUserId: null,
      }),
    'after the record was bound to another account': (client: ApiClient, email: string) =>
      superAdmin(client).put(`/api/users/${encodeURIComponent(email)}/identity`, {
        idpUserId: uniqueId(),
      }),
  }

  test('gets no messages {$self}')
    .with(Object.keys(handOver) as (keyof typeof handOver)[])
    .run(async ({ assert, client }, how) => {
      const { browser, email } = await aSubscriber(client)
      assert.deepEqual(await push(client, email, [browser]), [1])
      const response = await handOver[how](client, email)
      response.assertStatus(200)
      assert.deepEqual(await push(client, email, [browser]), [0])
    })

  test('is neither shown to the next account nor deleted by it', async ({ assert, client }) => {
    const { person, browser, email } = await aSubscriber(client)
    const path = `/api/users/${encodeURIComponent(email)}`
    const mine = await person.get(SUBSCRIPTIONS)
    await superAdmin(client).put(`${path}/identity`, { idpUserId: null })
    const successor = successorOf(client, email)
    const seen = await successor.get(SUBSCRIPTIONS)
    assert.deepEqual(seen.body().response, [])
    const devices = await superAdmin(client).get(`${path}/push-subscriptions`)
    assert.deepEqual(devices.body().data, [])
    const profile = await superAdmin(client).get(path)
    assert.equal(profile.body().data.pushSubscriptions, 0)
    const { id, endpoint } = mine.body().response[0]
    const deleted = await successor.delete(`${SUBSCRIPTIONS}/${id}`)
    deleted.assertProblem(404, 'SUBSCRIPTION_NOT_FOUND')
    const unsubscribed = await successor.post('/api/profile/me/push/unsubscribe', { endpoint })
    assert.isFalse(unsubscribed.body().response.removed)
    const stolen = await subscribe(successor, {
      ...service.newBrowser(),
      subscription: { ...service.newBrowser().subscription, endpoint },
    } as Browser)
    stolen.assertProblem(409, 'ENDPOINT_TAKEN')
    assert.deepEqual(await push(client, email, [browser]), [0])
  })

  test('cannot be subscribed by a request that began before the change', async ({
    assert,
    client,
  }) => {
    const { person, browser, email } = await aSubscriber(client)
    const { idpUserId: former } = await User.withEmail(email)
    await superAdmin(client).put(`/api/users/${encodeURIComponent(email)}/identity`, {
      idpUserId: uniqueId(),
    })
    const { endpoint, keys } = service.newBrowser().subscription
    const late = await User.withEmail(email)
    await assert.rejects(
      () => subscribeToPush(late, former!, { endpoint, ...keys }),
      /belongs to another account/
    )
    assert.isNull(await PushSubscription.findBy({ endpoint }))
    const refused = await subscribe(person, browser)
    refused.assertProblem(403, 'IDENTITY_CONFLICT')
  })

  test('is forgotten once the next account subscribes its own', async ({ assert, client }) => {
    const { browser, email } = await aSubscriber(client)
    await superAdmin(client).put(`/api/users/${encodeURIComponent(email)}/identity`, {
      idpUserId: null,
    })
    const successor = successorOf(client, email)
    const own = service.newBrowser()
    const first = await subscribe(successor, own)
    first.assertStatus(201)
    assert.deepEqual(await push(client, email, [browser, own]), [0, 1])
    const shared = await subscribe(successor, browser)
    shared.assertStatus(201)
    assert.deepEqual(await push(client, email, [browser, own]), [1, 1])
  })

  test('gets messages again when its account has the record again', async ({ assert, client }) => {
    const { person, browser, email } = await aSubscriber(client)
    await superAdmin(client).put(`/api/users/${encodeURIComponent(email)}/identity`, {
      idpUserId: null,
    })
    assert.deepEqual(await push(client, email, [browser]), [0])
    await person.get('/api/profile/me')
    assert.deepEqual(await push(client, email, [browser]), [1])
  })
})
