import { test } from '@japa/runner'
import { InvalidToken } from '#app/auth/exceptions'
import { Issuer } from '#app/auth/token/issuer'
import { TokenVerifier } from '#app/auth/token/token_verifier'
import { UpstreamUnreachable } from '#core/exceptions/problems'
import { eventually } from '#tests/helpers/eventually'
import { uniqueEmail } from '#tests/helpers/people'
import { TestClock } from '#tests/world/clock'
import { type Handler, TestHttpServer, sendJson } from '#tests/world/http_server'
import { AUDIENCE, TestIssuer } from '#tests/world/issuer'

const SECOND = 1_000
const MINUTE = 60 * SECOND

function guarding(url: string, clock = new TestClock()) {
  const settings = { issuer: url, audience: [AUDIENCE], clockToleranceSeconds: 5 }
  const verifier = new TokenVerifier(settings, new Issuer(url, clock.now))
  return (token: string) => verifier.verify(`Bearer ${token}`)
}

test.group('Signing keys', (group) => {
  const email = uniqueEmail()
  let issuer: TestIssuer
  let clock: TestClock
  let verify: ReturnType<typeof guarding>

  const timesAsked = () => issuer.requests.filter(({ url }) => url === '/keys').length
  const unknownKey = () => issuer.token(email, { header: { kid: crypto.randomUUID() } })

  group.each.setup(async () => {
    issuer = await new TestIssuer().start()
    clock = new TestClock()
    verify = guarding(issuer.url, clock)
    return () => issuer.stop()
  })

  test('are fetched once for concurrent first requests', async ({ assert }) => {
    const token = await issuer.token(email)
    await Promise.all(Array.from({ length: 20 }, () => verify(token)))
    await verify(await issuer.token(email))
    assert.equal(timesAsked(), 1)
  })

  test('are accepted immediately when new, by all concurrent requests', async ({ assert }) => {
    await verify(await issuer.token(email))
    await issuer.rotate()
    const token = await issuer.token(email)
    await Promise.all(Array.from({ length: 20 }, () => verify(token)))
    await verify(token)
    assert.equal(timesAsked(), 2)
  })

  test('are refused after the next refresh when withdrawn', async ({ assert }) => {
    const old = await issuer.token(email)
    // It is remembered the second time, when the keys are known.
    await verify(old)
    await verify(old)
    await issuer.rotate()
    await verify(await issuer.token(email))
    await assert.rejects(() => verify(old), InvalidToken)
  })

  test('with unknown ids cause one request to the issuer', async ({ assert }) => {
    await verify(await issuer.token(email))
    const flood = await Promise.all(Array.from({ length: 50 }, unknownKey))
    const responses = await Promise.allSettled(flood.map(verify))
    await assert.rejects(async () => verify(await unknownKey()), InvalidToken)
    assert.isTrue(
      responses.every(
        (response) => response.status === 'rejected' && response.reason instanceof InvalidToken
      )
    )
  })

  test('with unknown ids are requested again after the cooldown', async ({ assert }) => {
    await verify(await issuer.token(email))
    await assert.rejects(async () => verify(await unknownKey()), InvalidToken)
    await issuer.rotate()
    await assert.rejects(async () => verify(await issuer.token(email)), InvalidToken)

    clock.advance(31 * SECOND)
    await verify(await issuer.token(email))
    assert.equal(timesAsked(), 3)
  })

  test('keep working while the issuer is down', async () => {
    const token = await issuer.token(email)
    await verify(token)
    await issuer.stop()
    await verify(token)
    clock.advance(10 * MINUTE)
    await verify(token)
    clock.advance(49 * MINUTE)
    await verify(token)
  })

  test('expire after an hour', async ({ assert }) => {
    const token = await issuer.token(email)
    await verify(token)
    await issuer.stop()
    clock.advance(61 * MINUTE)
    await assert.rejects(() => verify(token), UpstreamUnreachable)
    await issuer.resume()
    clock.advance(2 * SECOND)
    await verify(token)
  })

  test('are refreshed in the background after five minutes', async () => {
    const old = await issuer.token(email)
    await verify(old)
    await issuer.rotate()
    clock.advance(6 * MINUTE)
    await verify(old)
    await eventually('the withdrawn key goes', () =>
      verify(old).then(
        () => false,
        (error) => error instanceof InvalidToken
      )
    )
  })

  test('that stay the same do not keep an old userinfo endpoint', async ({ assert }) => {
    const own = new Issuer(issuer.url, clock.now)
    await own.keySet()
    assert.equal(await own.userinfoEndpoint(), `${issuer.url}/userinfo`)
    issuer.endpoints = (url) => ({ userinfo_endpoint: `${url}/moved` })
    const keys = await own.keySet()
    clock.advance(61 * MINUTE)
    assert.strictEqual(await own.keySet(), keys)
    assert.equal(await own.userinfoEndpoint(), `${issuer.url}/moved`)
  })

  test('cause an upstream problem when unknown while the issuer is down', async ({ assert }) => {
    await verify(await issuer.token(email))
    await issuer.stop()
    await assert.rejects(async () => verify(await unknownKey()), UpstreamUnreachable)
    await assert.rejects(async () => verify(await unknownKey()), UpstreamUnreachable)
  })

  test('are accepted one second after an outage', async () => {
    await verify(await issuer.token(email))
    await issuer.stop()
    await issuer.rotate()
    const token = await issuer.token(email)
    await verify(token).catch(() => {})
    await issuer.resume()
    clock.advance(SECOND)
    await verify(token)
  })

  test('are requested at most once a second while the issuer fails', async ({
    assert,
    cleanup,
  }) => {
    const broken = await new TestHttpServer((_, response) => sendJson(response, {}, 500)).start()
    cleanup(() => broken.stop())
    verify = guarding(broken.url, clock)
    const token = await issuer.token(email, { claims: { iss: broken.url } })
    for (let i = 0; i < 10; i++) await assert.rejects(() => verify(token), UpstreamUnreachable)
    assert.lengthOf(broken.requests, 1)
    clock.advance(SECOND)
    await assert.rejects(() => verify(token), UpstreamUnreachable)
    assert.lengthOf(broken.requests, 2)
  })
})

test.group('An invalid issuer', () => {
  /** A discovery document at `url`, and the keys it refers to. */
  const issuerRespondingWith =
    (
      discovery: (url: string) => unknown,
      keys: unknown,
      status = 200
    ): ((url: string) => Handler) =>
    (url) =>
    (request, response) =>
      request.url === '/keys'
        ? sendJson(response, keys, status)
        : sendJson(response, discovery(url))

  const discovery = (url: string) => ({ issuer: url, jwks_uri: `${url}/keys` })

  const broken: Record<string, (url: string) => Handler> = {
    'a discovery document of another issuer': issuerRespondingWith(
      (url) => ({ ...discovery(url), issuer: 'https://elsewhere.example' }),
      { keys: [] }
    ),
    'a discovery document without an address of keys': issuerRespondingWith(
      (url) => ({ issuer: url }),
      {
        keys: [],
      }
    ),
    'a discovery document that is not an object': issuerRespondingWith(() => 'hello', { keys: [] }),
    'keys that are no key set': issuerRespondingWith(discovery, { message: 'under maintenance' }),
    'keys that are nothing at all': issuerRespondingWith(discovery, null),
    'a status other than 2xx for its keys': issuerRespondingWith(discovery, { keys: [] }, 503),
    'a redirect to its keys': () => (_, response) =>
      response.writeHead(302, { location: 'https://elsewhere.example' }).end(),
    'a response that is not JSON': () => (_, response) => response.end('<html>'),
    'a response that ends in the middle': () => (_, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('{')
      response.destroy()
    },
  }

  test('{$self} is an upstream problem')
    .with(Object.keys(broken))
    .run(async ({ assert, cleanup }, name) => {
      const world = await new TestHttpServer(() => {}).start()
      const signing = await new TestIssuer().start()
      cleanup(async () => {
        await world.stop()
        await signing.stop()
      })
      world.handler = broken[name](world.url)
      const token = await signing.token(uniqueEmail(), { claims: { iss: world.url } })
      await assert.rejects(() => guarding(world.url)(token), UpstreamUnreachable)
    })
})
