import { test } from '@japa/runner'
import User from '#app/profiles/models/user'
import { uniqueEmail } from '#tests/helpers/people'
import {
  createProviderUser,
  postSigned,
  providerEvent,
  eventSignature,
  uniqueId,
} from '#tests/helpers/provider_events'
import { problemOf, sendBody } from '#tests/helpers/send'
import { startService } from '#tests/world/service'
import { TARGET_KEY, WEBHOOK_SECRET } from '#tests/world/prepare'

const PATH = '/api/idp/webhook'
const aCreation = (email = uniqueEmail()) => ({
  email,
  body: JSON.stringify(providerEvent(createProviderUser().next('user.human.added', { email }))),
})

test.group('Signed webhook', () => {
  test('accepts a signature in each of the headers, with each of the keys', async ({ assert }) => {
    for (const header of ['IDP-Signature', 'ZITADEL-Signature', 'X-ZITADEL-Signature']) {
      for (const key of [TARGET_KEY, 'the-former-target-key']) {
        const { email, body } = aCreation()
        const response = await postSigned(body, { header, key })
        assert.equal(response.status, 200)
        assert.deepEqual(await response.json(), { success: true, data: { handled: true } })
        assert.isTrue((await User.withEmail(email)).active)
      }
    }
  })

  test('responds 401 to a wrong signature before reading the event', async ({ assert }) => {
    const { email, body } = aCreation()
    const attempts = [
      postSigned(body, { key: 'guess' }),
      postSigned(body, { key: WEBHOOK_SECRET }),
      sendBody('POST', PATH, `${body} `, { 'idp-signature': eventSignature(body) }),
      sendBody('POST', PATH, JSON.stringify(JSON.parse(body), null, 1), {
        'idp-signature': eventSignature(body),
      }),
      sendBody('POST', PATH, body, { 'idp-signature': '' }),
      sendBody('POST', PATH, body, { 'idp-signature': 't=abc,v1=00' }),
      sendBody('POST', PATH, '{"a":', { 'idp-signature': 't=1,v1=00' }),
      sendBody('POST', PATH, undefined, { 'idp-signature': 't=1,v1=00' }),
      sendBody('POST', PATH, body, {
        'idp-signature': 't=1,v1=00',
        'zitadel-signature': eventSignature(body),
      }),
    ]
    for (const response of await Promise.all(attempts)) {
      assert.equal(response.status, 401)
      assert.isNotNull(response.headers.get('www-authenticate'))
      assert.equal((await problemOf(assert, response)).code, 'INVALID_SIGNATURE')
    }
    assert.isNull(await User.findBy({ email }))
  })

  test('responds 401 to a signature more than five minutes off', async ({ assert }) => {
    for (const at of [-310, 310]) {
      const { email, body } = aCreation()
      const response = await postSigned(body, { at })
      assert.equal(response.status, 401)
      assert.equal((await problemOf(assert, response)).code, 'SIGNATURE_EXPIRED')
      assert.isNull(await User.findBy({ email }))
    }
  })

  test('does not accept a signature with a wrong secret', async ({ assert }) => {
    const { body } = aCreation()
    const headers = { 'x-webhook-secret': 'wrong', 'idp-signature': eventSignature(body) }
    const response = await sendBody('POST', PATH, body, headers)
    assert.equal(response.status, 401)
    assert.equal((await problemOf(assert, response)).code, 'UNAUTHENTICATED')
  })

  test('reads the format that belongs to the credential', async ({ assert }) => {
    const generic = JSON.stringify({ eventType: 'user.removed', user: { email: uniqueEmail() } })
    const signed = await postSigned(generic)
    assert.equal(signed.status, 400)
    const { body } = aCreation()
    const secret = await sendBody('POST', PATH, body, { 'x-webhook-secret': WEBHOOK_SECRET })
    assert.equal(secret.status, 400)
  })

  test('refuses hostile bodies, signed or not', async ({ assert }) => {
    const before = await User.query().count('* as total')
    const email = uniqueEmail()
    const valid = createProviderUser().next('user.human.added', { email })
    const changed = (fields: object) => JSON.stringify({ ...providerEvent(valid), ...fields })
    const base64 = (text: string) =>
      changed({ event_payload: Buffer.from(text).toString('base64') })
    for (const body of [
      '{"a":',
      'null',
      '5',
      '[]',
      '{}',
      `{"a":${'['.repeat(40)}${']'.repeat(40)}}`,
      changed({ event_type: 5 }),
      changed({ event_type: null }),
      changed({ aggregateID: '' }),
      changed({ aggregateID: 301_122_334 }),
      changed({ aggregateID: 'x'.repeat(256) }),
      changed({ aggregateID: { $ne: 1 } }),
      changed({ sequence: -1 }),
      changed({ sequence: 1.5 }),
      changed({ sequence: '1e3' }),
      changed({ sequence: null }),
      changed({ created_at: 'yesterday' }),
      changed({ created_at: '2026-02-30T00:00:00Z' }),
      changed({ created_at: undefined }),
      changed({ resourceOwner: 5 }),
      changed({ event_payload: undefined }),
      changed({ event_payload: [] }),
      changed({ event_payload: 5 }),
      changed({ event_payload: { email: 'nobody' } }),
      changed({ event_payload: { email: ['ada@acme.example'] } }),
      changed({ event_payload: { email, firstName: 'x'.repeat(201) } }),
      changed({ event_payload: { email, firstName: { toString: 'x' } } }),
      changed({ event_payload: '%%%' }),
      base64('{"email":'),
      base64('"text"'),
      base64(`{"email":"${email}","firstName":"\\u0000"}`),
      base64(`{"a":${'['.repeat(40)}${']'.repeat(40)}}`),
    ]) {
      const response = await postSigned(body)
      assert.equal(response.status, 400, body.slice(0, 300))
      assert.oneOf((await problemOf(assert, response)).code, ['VALIDATION_ERROR', 'MALFORMED_JSON'])
    }
    const after = await User.query().count('* as total')
    assert.deepEqual(after[0].$extras, before[0].$extras)
  })

  test('accepts an id that is the name of an object property', async ({ assert }) => {
    for (const id of ['__proto__', 'constructor', `toString-${uniqueId()}`]) {
      const email = uniqueEmail()
      const event = { ...createProviderUser(id).next('user.human.added', { email }) }
      const response = await postSigned(JSON.stringify(providerEvent(event)))
      assert.equal(response.status, 200)
      assert.equal((await User.withEmail(email)).idpUserId, id)
    }
  })

  test('responds 413 to a body that is too large and 415 to another type', async ({ assert }) => {
    const large = JSON.stringify({ a: 'x'.repeat(1_100_000) })
    assert.equal((await postSigned(large)).status, 413)
    const { body } = aCreation()
    const headers = { 'content-type': 'text/plain', 'idp-signature': eventSignature(body) }
    assert.equal((await sendBody('POST', PATH, body, headers)).status, 415)
  })

  test('responds 503 to signed requests without a key, and still accepts the secret', async ({
    assert,
    cleanup,
  }) => {
    const service = await startService({ IDP_WEBHOOK_SIGNING_KEYS: ' , ' })
    cleanup(async () => {
      await service.stop()
    })
    const { body } = aCreation()
    const post = (text: string, headers: Record<string, string>) =>
      fetch(`${service.url}${PATH}`, {
        method: 'POST',
        body: text,
        headers: { 'content-type': 'application/json', ...headers },
      })
    for (const key of [TARGET_KEY, '']) {
      const response = await post(body, {
        'zitadel-signature': eventSignature(body, { key: key || 'x' }),
      })
      assert.equal(response.status, 503)
      assert.isNotNull(response.headers.get('retry-after'))
      assert.equal((await problemOf(assert, response)).code, 'PROVIDER_NOT_CONFIGURED')
    }
    assert.equal((await post(body, {})).status, 401)
    const malformed = await post(body, { 'zitadel-signature': 't=abc,v1=00' })
    assert.equal((await problemOf(assert, malformed)).code, 'INVALID_SIGNATURE')
    const generic = JSON.stringify({ eventType: 'user.created', user: { email: uniqueEmail() } })
    assert.equal((await post(generic, { 'x-webhook-secret': WEBHOOK_SECRET })).status, 200)
  })
})
