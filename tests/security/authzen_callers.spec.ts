import { test } from '@japa/runner'
import { UnsecuredJWT } from 'jose'
import {
  GATEWAY_CLIENT,
  aDecisionPoint,
  ask,
  bound,
  decisionPoint,
  machineToken,
  post,
} from '#tests/helpers/authzen'
import { sameDatabase } from '#tests/helpers/same_database'
import { uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { AUDIENCE } from '#tests/world/issuer'
import { SUPER_ADMIN, issuer } from '#tests/world/prepare'
import { freePort } from '#tests/world/free_port'
import { startService } from '#tests/world/service'

const OUTSIDE = { 'x-forwarded-for': '203.0.113.9' }
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

const WRONG_TOKENS: Record<string, () => Promise<string>> = {
  'for another audience': () => machineToken({ aud: 'someone-else' }),
  'of another issuer': () => machineToken({ iss: 'https://evil.example' }),
  'that has expired': () => machineToken({ exp: 1_700_000_000 }),
  'that is not valid yet': () => machineToken({ nbf: 4_000_000_000 }),
  'without an end': () => machineToken({ exp: undefined }),
  'without a subject': () => machineToken({ sub: undefined }),
  'that is an ID token': () => machineToken({ nonce: 'x' }),
  'without a signature': async () =>
    new UnsecuredJWT({ sub: 'the-gateway', aud: AUDIENCE, iss: issuer.url })
      .setIssuedAt()
      .setExpirationTime('1h')
      .encode(),
  'signed with a public key': () =>
    issuer.token('', {
      claims: { sub: 'the-gateway', email: undefined },
      header: { alg: 'HS256' },
      key: new TextEncoder().encode(JSON.stringify(issuer.publicKeys[0]).padEnd(32, ' ')),
    }),
  'that is no token': async () => 'garbage',
}

test.group('AuthZEN callers', () => {
  test('a listed client may ask from anywhere, and learns no reason', async ({
    assert,
    client,
  }) => {
    const { code, request } = await aDecisionPoint(client)
    for (const claims of [
      {},
      { sub: uniqueCode(), client_id: GATEWAY_CLIENT },
      { sub: uniqueCode(), azp: GATEWAY_CLIENT },
      // Some providers give machine users an address.
      { email: uniqueEmail(), email_verified: false },
    ]) {
      const headers = { ...bearer(await machineToken(claims)), ...OUTSIDE }
      const answer = await ask(code, 'evaluation', request, headers)
      assert.deepEqual(answer.json, { decision: true }, JSON.stringify(claims))
      const evaluations = [{}, { subject: { type: 'user', id: 'nobody' } }]
      const batch = await ask(code, 'evaluations', { ...request, evaluations }, headers)
      assert.deepEqual(batch.json.evaluations, [{ decision: true }, { decision: false }])
    }
  })

  test('the private network may ask without a token, and learns the reason', async ({
    assert,
    client,
  }) => {
    const { code, request } = await aDecisionPoint(client)
    const { json } = await ask(code, 'evaluation', request)
    assert.equal(json.context.reason_admin.source, 'role')
  })

  test('a token {$self} is 401, also in the private network')
    .with(Object.keys(WRONG_TOKENS))
    .run(async ({ assert, client }, name) => {
      const { code, request } = await aDecisionPoint(client)
      const answer = await ask(code, 'evaluation', request, bearer(await WRONG_TOKENS[name]()))
      assert.equal(answer.status, 401)
      assert.match(answer.text, /^UNAUTHENTICATED: /)
      assert.match(answer.headers.get('www-authenticate')!, /^Bearer realm="concierge"/)
    })

  test('a token of a client that is not listed is 403', async ({ assert, client }) => {
    const { code, request } = await aDecisionPoint(client)
    for (const claims of [
      { sub: 'another-machine' },
      { sub: 'THE-GATEWAY' },
      { sub: 'the-gateway,' },
      { sub: 'x', azp: ['the-gateway'], client_id: { toString: 'the-gateway' } },
      { sub: 'x', aud: [AUDIENCE, 'the-gateway'], client: 'the-gateway' },
      { sub: '' + ' ' },
    ]) {
      const answer = await ask(code, 'evaluation', request, bearer(await machineToken(claims)))
      assert.equal(answer.status, 403, JSON.stringify(claims))
    }
  })

  test('a token of a user is 403, even of one who signed in through a listed client', async ({
    assert,
    client,
  }) => {
    const { code, request } = await aDecisionPoint(client)
    for (const token of [
      await issuer.token(SUPER_ADMIN),
      await issuer.token(uniqueEmail()),
      await machineToken({ sub: await bound(client, uniqueEmail()), azp: GATEWAY_CLIENT }),
      // Of people whose accounts have no record here.
      await machineToken({ sub: uniqueCode(), azp: GATEWAY_CLIENT, email: uniqueEmail() }),
      await machineToken({
        sub: uniqueCode(),
        client_id: GATEWAY_CLIENT,
        email: uniqueEmail(),
        email_verified: false,
      }),
    ]) {
      const answer = await ask(code, 'evaluation', request, bearer(token))
      assert.equal(answer.status, 403)
      assert.match(answer.text, /^FORBIDDEN: /)
    }
  })

  test('a token of a listed client opens nothing else', async ({ assert, client }) => {
    const token = await machineToken()
    for (const path of ['/api/profile/me', '/api/applications', '/api/users']) {
      const response = await client.get(path).header('authorization', `Bearer ${token}`)
      // The issuer of the tests has no userinfo that could name an address.
      assert.include([401, 502], response.status(), path)
    }
  })

  test('someone outside the private network without a token is 401', async ({ assert, client }) => {
    const { code, request } = await aDecisionPoint(client)
    for (const headers of [
      OUTSIDE,
      { via: '1.1 edge' },
      { 'x-real-ip': '127.0.0.1' },
      { 'x-internal-api-key': 'the-gateway' },
    ]) {
      const answer = await ask(code, 'evaluation', request, headers as never)
      const isInside = 'x-internal-api-key' in headers
      assert.equal(answer.status, isInside ? 200 : 401, JSON.stringify(headers))
    }
  })
})

test.group('AuthZEN callers of other installations', () => {
  test('the public port serves listed clients only, the internal one the private network too', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { code, request } = await aDecisionPoint(client)
    const port = await freePort()
    const service = await startService({
      ...sameDatabase(),
      INTERNAL_PORT: String(port),
      CHECK_ON_PUBLIC_PORT: 'false',
      CHECK_KEYS: 'check-key-of-the-tests-0123456789abcdef',
      AUTHZEN_CLIENTS: 'the-gateway',
    })
    cleanup(() => service.stop() as never)
    const send = (url: string, headers?: Record<string, string>) =>
      post(`${decisionPoint(code, url)}/access/v1/evaluation`, request, headers)
    const internal = `http://127.0.0.1:${port}`
    const key = { 'x-check-key': 'check-key-of-the-tests-0123456789abcdef' }
    const token = bearer(await machineToken())
    assert.equal((await send(service.url, key)).status, 401)
    assert.deepEqual((await send(service.url, token)).json, { decision: true })
    assert.equal((await send(internal)).status, 401)
    assert.equal((await send(internal, { 'x-check-key': 'wrong' })).status, 401)
    assert.equal((await send(internal, key)).json.context.reason_admin.source, 'role')
    assert.deepEqual((await send(internal, token)).json, { decision: true })
  })

  test('a token that cannot be verified now is 502', async ({ assert, client, cleanup }) => {
    const { code, request } = await aDecisionPoint(client)
    const service = await startService({ ...sameDatabase(), IDP_ISSUER: 'http://127.0.0.1:1' })
    cleanup(() => service.stop() as never)
    const searches = ['subject', 'resource', 'action'].map((kind) => `search/${kind}`)
    for (const endpoint of ['evaluation', 'evaluations', ...searches]) {
      const url = `${decisionPoint(code, service.url)}/access/v1/${endpoint}`
      const answer = await post(url, request, bearer(await machineToken()))
      assert.equal(answer.status, 502)
      assert.match(answer.text, /^UPSTREAM_UNREACHABLE: /)
      assert.equal((await post(url, request)).status, 200)
    }
  })

  test('nobody is listed by default, and organisations are still required', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { code, request } = await aDecisionPoint(client)
    const statusOf = async (url: string, claims?: Record<string, unknown>) => {
      const headers = bearer(await machineToken(claims))
      const endpoint = `${decisionPoint(code, url)}/access/v1/evaluation`
      return (await post(endpoint, request, headers)).status
    }
    const unlisted = await startService({ ...sameDatabase(), AUTHZEN_CLIENTS: undefined })
    cleanup(() => unlisted.stop() as never)
    assert.equal(await statusOf(unlisted.url), 403)
    const strict = await startService({ ...sameDatabase(), IDP_ACCEPTED_ORGS: 'ours' })
    cleanup(() => strict.stop() as never)
    const organisation = 'urn:zitadel:iam:user:resourceowner:id'
    assert.equal(await statusOf(strict.url), 403)
    assert.equal(await statusOf(strict.url, { [organisation]: 'theirs' }), 403)
    assert.equal(await statusOf(strict.url, { [organisation]: 'ours' }), 200)
  })
})
