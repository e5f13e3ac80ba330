import { verify } from 'node:crypto'
import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import { decodeJwt } from 'jose'
import { Deadline } from '#core/values/deadline'
import { sendPush } from '#app/delivery/push/send_push'
import Instance from '#app/applications/models/instance'
import PushSubscription from '#app/notifications/models/push_subscription'
import type Application from '#app/applications/models/application'
import Brand from '#app/platform/models/brand'
import {
  aType,
  notificationRecordOf,
  sendNotification,
  subscribe,
  withOwnServer,
} from '#tests/helpers/deliveries'
import { anApplication, uniqueEmail } from '#tests/helpers/people'
import { refuseWrites } from '#tests/helpers/refuse_writes'
import { TestHttpServer } from '#tests/world/http_server'
import { VAPID, smtp } from '#tests/world/prepare'
import { PushService } from '#tests/world/push_service'

const TEXT = { subject: 'Hello', body: 'Something happened' }
let service: PushService

/** Sends a notification of a type without e-mails. */
async function push(client: ApiClient, recipientEmail: string, data: object, app?: Application) {
  const application = app ?? (await anApplication())
  const type = await aType(application, { emailEnabled: false })
  const body = { recipientEmail, appCode: application.code, type: type.code, data }
  const response = await sendNotification(client, body)
  response.assertStatus(200)
  return { data: response.body().data, ...(await notificationRecordOf(response.body().data.id)) }
}

test.group('Web Push', (group) => {
  group.setup(async () => {
    service = await new PushService().start()
    return () => service.stop()
  })

  test('encrypts the message for every browser of the user', async ({ assert, client }) => {
    const application = await anApplication()
    await Instance.create({
      applicationId: application.id,
      name: 'main',
      baseUrl: 'https://shop.example/home',
      callbackUrls: [],
      postLogoutUrls: [],
    })
    const email = uniqueEmail()
    const browsers = [service.newBrowser(), service.newBrowser()]
    const rows = [await subscribe(email, browsers[0]), await subscribe(email, browsers[1])]
    const { data, deliveries } = await push(client, email, TEXT, application)
    assert.containSubset(data, { status: 'sent', statusReason: null })
    assert.lengthOf(deliveries, 1)
    assert.containSubset(deliveries[0], { channel: 'push', status: 'sent', error: null })
    for (const { messages } of browsers) {
      assert.lengthOf(messages, 1)
      const { payload } = messages[0]
      assert.sameMembers(Object.keys(payload), ['title', 'body', 'icon', 'url'])
      assert.equal(payload.title, 'Hello')
      assert.include(String(payload.body), 'Something happened')
      assert.equal(payload.url, 'https://shop.example/home')
    }
    for (const row of rows) {
      await row.refresh()
      assert.isBelow(Math.abs(row.lastUsedAt!.diffNow().as('seconds')), 30)
    }
    assert.isEmpty(smtp.mailsTo(email))
  })

  test('does not wait for a push service after the deadline', async ({ assert, cleanup }) => {
    const silent = await new TestHttpServer(() => {}).start()
    cleanup(() => silent.stop())
    const row = await subscribe(uniqueEmail(), service.newBrowser())
    row.endpoint = `${silent.url}/push`
    const began = performance.now()
    const outcome = await sendPush(row, '{}', {
      topic: 'topic',
      owner: {},
      deadline: new Deadline(1_000),
    })
    assert.deepEqual(outcome, {
      kind: 'failed',
      status: null,
      error: 'the push service could not be used (timeout)',
      isTemporary: true,
    })
    assert.isBelow(performance.now() - began, 4_500)
    assert.lengthOf(silent.requests, 1)
  })

  test('sends VAPID, TTL and Topic headers', async ({ assert, client }) => {
    const email = uniqueEmail()
    const browser = service.newBrowser()
    await subscribe(email, browser)
    await push(client, email, TEXT)
    await push(client, email, TEXT)
    const [first, second] = browser.messages.map(({ headers }) => headers)
    assert.equal(first['content-encoding'], 'aes128gcm')
    assert.isAbove(Number(first.ttl), 0)
    assert.match(String(first.topic), /^[A-Za-z0-9_-]{32}$/)
    assert.notEqual(first.topic, second.topic)
    const [, token, key] = /^vapid t=([^,]+), k=(.+)$/.exec(first.authorization!)!
    assert.equal(key, VAPID.publicKey)
    const claims = decodeJwt(token)
    assert.equal(claims.aud, new URL(browser.subscription.endpoint).origin)
    assert.equal(claims.sub, 'mailto:ops@platform.example')
    assert.isBelow(claims.exp! * 1_000 - Date.now(), 24 * 3_600_000)
    const point = Buffer.from(VAPID.publicKey, 'base64url')
    const jwk = {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    }
    const [head, content, signature] = token.split('.')
    const signed = verify(
      'sha256',
      Buffer.from(`${head}.${content}`),
      { key: jwk, format: 'jwk', dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url')
    )
    assert.isTrue(signed)
    assert.equal(second.authorization, first.authorization, 'one token serves the origin')
  })

  for (const status of [404, 410]) {
    test(`deletes an expired subscription (${status})`, async ({ assert, client }) => {
      const email = uniqueEmail()
      const [gone, there] = [service.newBrowser(), service.newBrowser()]
      const goneRow = await subscribe(email, gone)
      const thereRow = await subscribe(email, there)
      gone.response = status
      const { data } = await push(client, email, TEXT)
      assert.containSubset(data, { status: 'sent', statusReason: null })
      assert.isNull(await PushSubscription.find(goneRow.id))
      assert.isNotNull(await PushSubscription.find(thereRow.id))
      there.response = status
      const last = await push(client, email, TEXT)
      assert.equal(last.data.status, 'failed')
      assert.match(last.data.statusReason, /^PUSH_ERROR: /)
      const none = await push(client, email, TEXT)
      assert.containSubset(none.data, { status: 'skipped', statusReason: 'NO_CHANNEL' })
    })
  }

  for (const response of [200, 201, 202, 204]) {
    test(`treats ${response} as delivered`, async ({ assert, client }) => {
      const email = uniqueEmail()
      const browser = service.newBrowser()
      browser.response = response
      await subscribe(email, browser)
      assert.equal((await push(client, email, TEXT)).data.status, 'sent')
    })
  }

  for (const response of [301, 400, 403, 413, 429, 500, 503, 'stall'] as const) {
    test(`treats ${response} as a failure and keeps the subscription`, async ({
      assert,
      client,
    }) => {
      const email = uniqueEmail()
      const browser = service.newBrowser()
      browser.response = response
      const row = await subscribe(email, browser)
      const { data, deliveries } = await push(client, email, TEXT)
      assert.equal(data.status, 'failed')
      assert.match(data.statusReason, /^PUSH_ERROR: /)
      assert.containSubset(deliveries[0], { channel: 'push', status: 'failed' })
      await row.refresh()
      assert.isNull(row.lastUsedAt)
    })
  }

  test('counts an accepted message even if the subscription cannot be updated', async ({
    assert,
    client,
    cleanup,
  }) => {
    const email = uniqueEmail()
    const { id } = await subscribe(email, service.newBrowser())
    const when = `new.id = ${id}`
    cleanup(await refuseWrites({ table: 'push_subscriptions', event: 'update', when }))
    const { data } = await push(client, email, TEXT)
    assert.containSubset(data, { status: 'sent', statusReason: null })
  })

  test('reports mail and push separately if one of them fails', async ({ assert, client }) => {
    const application = await anApplication()
    const email = uniqueEmail()
    const browser = service.newBrowser()
    await subscribe(email, browser)
    const body = { recipientEmail: email, appCode: application.code, type: 'generic', data: TEXT }
    browser.response = 500
    const mailed = (await sendNotification(client, body)).body().data
    assert.equal(mailed.status, 'sent')
    assert.match(mailed.statusReason, /^PUSH_ERROR: /)
    assert.lengthOf(smtp.mailsTo(email), 1)

    browser.response = 201
    await withOwnServer(email, smtp, {
      smtp: null,
      dkim: { domain: 'x.example', selector: 's', privateKey: null },
    })
    const pushed = (await sendNotification(client, body)).body().data
    assert.equal(pushed.status, 'sent')
    assert.match(pushed.statusReason, /^SMTP_ERROR: /)
    const { deliveries } = await notificationRecordOf(pushed.id)
    assert.deepEqual(
      deliveries.map(({ channel, status }) => [channel, status]),
      [
        ['email', 'failed'],
        ['push', 'sent'],
      ]
    )
  })

  test('shortens the text to 200 characters and the payload to the size limit', async ({
    assert,
    client,
  }) => {
    const email = uniqueEmail()
    const browser = service.newBrowser()
    await subscribe(email, browser)
    for (const letter of ['x', '"', '€', '😀']) {
      await push(client, email, {
        subject: letter.repeat(998 / letter.length),
        body: letter.repeat(5_000),
      })
      const { payload, size } = browser.messages.at(-1)!
      assert.isAtMost(size, 3_900)
      assert.isAtMost(String(payload.body).length, 200)
      assert.isTrue(String(payload.body).isWellFormed())
      assert.isTrue(String(payload.title).isWellFormed())
      assert.isAbove(String(payload.title).length, 400)
    }
  })

  test('contains only http and https URLs', async ({ assert, client }) => {
    const application = await anApplication()
    await Instance.create({
      applicationId: application.id,
      name: 'main',
      baseUrl: 'https://shop.example/home',
      callbackUrls: [],
      postLogoutUrls: [],
    })
    const email = uniqueEmail()
    const browser = service.newBrowser()
    await subscribe(email, browser)
    await withOwnServer(email, smtp, { smtp: null })
    await Brand.query()
      .where('isDefault', false)
      .whereIn('id', (users) => users.from('users').select('brand_id').where('email', email))
      .update({
        appearance: JSON.stringify({ iconUrl: 'https://cdn.example/icon.png' }),
      })
    for (const [url, expected] of [
      ['https://shop.example/orders/7', 'https://shop.example/orders/7'],
      ['/orders/7', 'https://shop.example/orders/7'],
      ['javascript:alert(1)', 'https://shop.example/home'],
      [7, 'https://shop.example/home'],
      [undefined, 'https://shop.example/home'],
    ]) {
      await push(client, email, { ...TEXT, url }, application)
      const { payload } = browser.messages.at(-1)!
      assert.equal(payload.url, expected)
      assert.equal(payload.icon, 'https://cdn.example/icon.png')
    }
  })

  for (const endpoint of [
    'http://push.example/x',
    'https://10.0.0.1/x',
    'https://169.254.169.254/latest',
    'https://user:secret@127.0.0.1/x',
    'file:///etc/passwd',
    'not a URL',
  ]) {
    test(`never calls ${endpoint}`, async ({ assert, client }) => {
      const email = uniqueEmail()
      const row = await subscribe(email, service.newBrowser())
      const endpointDigest = PushSubscription.digestOf(`${endpoint}${row.id}`)
      await row.merge({ endpoint, endpointDigest }).save()
      const { data } = await push(client, email, TEXT)
      assert.equal(data.status, 'failed')
      assert.match(data.statusReason, /^PUSH_ERROR: /)
    })
  }

  test('handles invalid browser keys', async ({ assert, client }) => {
    const email = uniqueEmail()
    const row = await subscribe(email, service.newBrowser())
    await row.merge({ p256Dh: 'nonsense', auth: '!' }).save()
    const { data } = await push(client, email, TEXT)
    assert.match(data.statusReason, /^PUSH_ERROR: /)
  })
})
