import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import User from '#app/profiles/models/user'
import { eventually } from '#tests/helpers/eventually'
import { logLines, securityEvents } from '#tests/helpers/log_lines'
import { uniqueEmail } from '#tests/helpers/people'
import { uniqueId } from '#tests/helpers/provider_events'
import { AUDIENCE, TestIssuer, type TokenOptions, subjectOf } from '#tests/world/issuer'
import { issuer } from '#tests/world/prepare'
import { startProductionService } from '#tests/world/production_service'
import type { RunningService } from '#tests/world/service'

const ORGANISATION = 'urn:zitadel:iam:user:resourceowner:id'
const DAY = 24 * 60 * 60
const now = () => Math.floor(Date.now() / 1000)
const LOGOUT_EVENT = { 'http://schemas.openid.net/event/backchannel-logout': {} }

async function ask(client: ApiClient, options: TokenOptions, email = uniqueEmail()) {
  const token = await issuer.token(email, options)
  return client.get('/api/profile/me').header('authorization', `Bearer ${token}`)
}

const wrongKinds: Record<string, TokenOptions | (() => TokenOptions)> = {
  'an ID token with a nonce': { claims: { nonce: 'n-0S6_WzA2Mj' } },
  'an ID token with a hash of the access token': { claims: { at_hash: 'MTIzNDU2Nzg5' } },
  'an ID token with a hash of the code': { claims: { c_hash: 'LDktKdoQak3Pk0cnXxCltA' } },
  'an ID token without a type': { claims: { nonce: 'n' }, header: { typ: undefined } },
  'an ID token of that type': { header: { typ: 'id_token+jwt' } },
  'a logout token': { header: { typ: 'logout+jwt' }, claims: { events: LOGOUT_EVENT } },
  'a logout token of the generic type': { claims: { events: LOGOUT_EVENT } },
  'a logout token that calls itself an access token': {
    header: { typ: 'at+jwt' },
    claims: { events: {} },
  },
  'a security event token': { header: { typ: 'secevent+jwt' } },
  'a proof of possession': { header: { typ: 'dpop+jwt' } },
  'a type that is no text': { header: { typ: 5 } },
  'an empty type': { header: { typ: '' } },
  'an iat an hour ahead': () => ({ claims: { iat: now() + 3_600 } }),
  'an iat a minute ahead': () => ({ claims: { iat: now() + 60 } }),
  'an nbf a minute ahead': () => ({ claims: { nbf: now() + 60 } }),
}

const goodKinds: typeof wrongKinds = {
  'the generic type': { header: { typ: 'JWT' } },
  'no type': { header: { typ: undefined } },
  'the type of access tokens': { header: { typ: 'at+jwt' } },
  'the long type of access tokens': { header: { typ: 'application/at+jwt' } },
  'the type in another case': { header: { typ: 'AT+JWT' } },
  'an iat within the tolerance': () => ({ claims: { iat: now() + 3 } }),
  'a life of a month': () => ({ claims: { exp: now() + 30 * DAY } }),
  'a verified e-mail written as text': { claims: { email_verified: 'true' } },
}

/** Relative to the time of the request. */
const optionsOf = (options: (typeof wrongKinds)[string]) =>
  typeof options === 'function' ? options() : options

const NOT_TRUE = [false, null, 0, 1, '', 'no', 'false', 'TRUE', 'True', '1', [true], {}]

test.group('Tokens issued for other purposes', () => {
  test('{$self} is refused')
    .with(Object.keys(wrongKinds))
    .run(async ({ assert, client }, name) => {
      const email = uniqueEmail()
      const response = await ask(client, optionsOf(wrongKinds[name]), email)
      response.assertProblem(401, 'UNAUTHENTICATED')
      assert.isNull(await User.findBy({ email }))
    })

  test('an access token with {$self} is accepted')
    .with(Object.keys(goodKinds))
    .run(async ({ client }, name) => {
      const response = await ask(client, optionsOf(goodKinds[name]))
      response.assertStatus(200)
    })
})

test.group('Tokens with an unverified address', (group) => {
  const { userinfo } = issuer
  group.each.teardown(() => void (issuer.userinfo = userinfo))

  /** A token without `email_verified`, and the response of userinfo to it. */
  async function askedWith(client: ApiClient, response: (email: string) => object, status = 200) {
    const email = uniqueEmail()
    issuer.userinfo = () => ({ status, body: response(email) })
    return ask(client, { claims: { email_verified: undefined } }, email)
  }

  test('email_verified {$self} is refused regardless of userinfo')
    .with(NOT_TRUE)
    .run(async ({ client }, claim) => {
      const email = uniqueEmail()
      const body = { sub: subjectOf(email), email, email_verified: true }
      issuer.userinfo = () => ({ status: 200, body })
      const response = await ask(client, { claims: { email_verified: claim } }, email)
      response.assertProblem(401, 'EMAIL_NOT_VERIFIED')
    })

  test('userinfo with {$self} does not verify the address')
    .with([undefined, ...NOT_TRUE])
    .run(async ({ client }, claim) => {
      const response = await askedWith(client, (email) => ({
        sub: subjectOf(email),
        email,
        email_verified: claim,
      }))
      response.assertProblem(401, 'EMAIL_NOT_VERIFIED')
    })

  test('userinfo verifies the same address', async ({ client }) => {
    const response = await askedWith(client, (email) => ({
      sub: subjectOf(email),
      email: email.toUpperCase(),
      email_verified: true,
    }))
    response.assertStatus(200)
  })

  test('userinfo for another address does not verify it', async ({ client }) => {
    for (const other of [uniqueEmail(), undefined, 5, 'no address']) {
      const response = await askedWith(client, (email) => ({
        sub: subjectOf(email),
        email: other,
        email_verified: true,
      }))
      response.assertProblem(401, 'EMAIL_NOT_VERIFIED')
    }
  })

  test('userinfo about another user does not verify it', async ({ client }) => {
    const response = await askedWith(client, (email) => ({
      sub: uniqueId(),
      email,
      email_verified: true,
    }))
    response.assertProblem(401, 'EMAIL_NOT_VERIFIED')
  })

  test('a provider that refuses the request does not verify it', async ({ client }) => {
    for (const status of [401, 403, 404]) {
      const response = await askedWith(client, () => ({}), status)
      response.assertProblem(401, 'EMAIL_NOT_VERIFIED')
    }
  })

  test('a provider that fails results in an error', async ({ client }) => {
    for (const status of [429, 500]) {
      const response = await askedWith(client, () => ({}), status)
      response.assertProblem(502, 'UPSTREAM_UNREACHABLE')
    }
  })

  test('a token claim does not verify the address of userinfo', async ({ client }) => {
    const email = uniqueEmail()
    issuer.userinfo = () => ({ status: 200, body: { sub: subjectOf(email), email } })
    const response = await ask(client, { claims: { email: undefined } }, email)
    response.assertProblem(401, 'EMAIL_NOT_VERIFIED')
  })
})

test.group('A production service for one client and one organisation', (group) => {
  let own: TestIssuer
  let service: RunningService

  group.setup(async () => {
    own = await new TestIssuer().start()
    service = await startProductionService({
      IDP_ISSUER: own.url,
      IDP_CLIENT_ID: 'the-client',
      IDP_AUDIENCE: `the-client,${AUDIENCE}`,
      IDP_ACCEPTED_ORGS: '100, 200',
    })
    return async () => {
      await service.stop()
      await own.stop()
    }
  })

  async function responseTo(options: TokenOptions, email = uniqueEmail()) {
    const claims = { [ORGANISATION]: '100', ...options.claims }
    const token = await own.token(email, { ...options, claims })
    const headers = { authorization: `Bearer ${token}` }
    const response = await fetch(`${service.url}/api/profile/me`, { headers })
    const body = (await response.json()) as { code?: string }
    return [response.status, body.code]
  }

  test('refuses a token for the client alone, which is an ID token', async ({ assert }) => {
    for (const aud of ['the-client', ['the-client']]) {
      assert.deepEqual(await responseTo({ claims: { aud } }), [401, 'UNAUTHENTICATED'])
    }
  })

  test('accepts access tokens with another audience or an authorized party', async ({ assert }) => {
    assert.deepEqual(await responseTo({ claims: { aud: ['the-client', AUDIENCE] } }), [
      200,
      undefined,
    ])
    assert.deepEqual(await responseTo({ claims: { aud: [AUDIENCE] } }), [200, undefined])
    const given = { aud: 'the-client', azp: 'the-client' }
    assert.deepEqual(await responseTo({ claims: given }), [200, undefined])
  })

  test('refuses accounts of other organisations, and of none', async ({ assert }) => {
    for (const organisation of ['300', '10', '100,200', '', ' 100', undefined, 100, ['100']]) {
      const response = await responseTo({ claims: { [ORGANISATION]: organisation } })
      assert.deepEqual(response, [403, 'ORGANISATION_NOT_ACCEPTED'], String(organisation))
    }
    assert.deepEqual(await responseTo({ claims: { [ORGANISATION]: '200' } }), [200, undefined])
  })

  test('does not let events of other organisations bind a record', async ({ assert }) => {
    const email = uniqueEmail()
    const send = (orgId: string) =>
      fetch(`${service.url}/api/idp/webhook`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-webhook-secret': process.env.WEBHOOK_SECRET!,
        },
        body: JSON.stringify({ eventType: 'user.created', orgId, user: { id: uniqueId(), email } }),
      })
    const response = await send('300')
    assert.deepEqual(await response.json(), { success: true, data: { handled: false } })
    assert.deepEqual(await responseTo({}, email), [200, undefined])
  })

  test('reports conflicts and unverified addresses', async ({ assert }) => {
    const email = uniqueEmail()
    await responseTo({}, email)
    const subject = uniqueId()
    assert.deepEqual(await responseTo({ claims: { sub: subject } }, email), [
      403,
      'IDENTITY_CONFLICT',
    ])
    await responseTo({ claims: { email_verified: false } })
    const conflict = await eventually('the conflict is reported', () =>
      securityEvents(service, 'identity_conflict').find(({ actor }) => actor === email)
    )
    assert.containSubset(conflict, { subject, organisation: '100', address: '127.0.0.1' })
    await eventually(
      'the unverified address is reported',
      () => securityEvents(service, 'email_not_verified').length > 0
    )
  })

  test('warns once about long-lived tokens', async ({ assert }) => {
    for (let time = 0; time < 5; time++) await responseTo({ claims: { exp: now() + 2 * DAY } })
    const lines = () => logLines(service).filter(({ msg }) => /more than a day/.test(String(msg)))
    await eventually('it is logged', () => lines().length > 0)
    assert.lengthOf(lines(), 1)
  })
})
