import { test } from '@japa/runner'
import { EmailNotVerified, InvalidToken } from '#app/auth/exceptions'
import { Issuer } from '#app/auth/token/issuer'
import { TokenVerifier } from '#app/auth/token/token_verifier'
import { Userinfo } from '#app/auth/token/userinfo'
import { UpstreamUnreachable } from '#core/exceptions/problems'
import { uniqueEmail } from '#tests/helpers/people'
import { TestClock } from '#tests/world/clock'
import { AUDIENCE, TestIssuer, subjectOf } from '#tests/world/issuer'

const SECOND = 1_000
const MINUTE = 60 * SECOND

/** See authentication.md#userinfo. */
test.group('Userinfo', (group) => {
  let issuer: TestIssuer
  let email: string
  let verify: (claims?: Record<string, unknown>) => ReturnType<TokenVerifier['verify']>

  const timesAsked = () => issuer.requests.filter(({ url }) => url === '/userinfo').length
  const respondWith = (body: unknown, status = 200) => {
    issuer.userinfo = () => ({ status, body })
  }

  group.setup(async () => {
    issuer = await new TestIssuer().start()
    return () => issuer.stop()
  })

  group.each.setup(() => {
    issuer.requests.length = 0
    const clock = new TestClock()
    email = uniqueEmail()
    respondWith({ sub: subjectOf(email), email, email_verified: true })
    const settings = { issuer: issuer.url, audience: [AUDIENCE], clockToleranceSeconds: 5 }
    const verifier = new TokenVerifier(settings, new Issuer(issuer.url, clock.now))
    verify = async (claims = {}) => {
      const withoutEmail = { email: undefined, email_verified: undefined, ...claims }
      return verifier.verify(`Bearer ${await issuer.token(email, { claims: withoutEmail })}`)
    }
  })

  test('is not requested when the token has an e-mail address', async ({ assert }) => {
    const caller = await verify({ email, email_verified: true })
    assert.equal(caller.email, email)
    assert.equal(timesAsked(), 0)
  })

  test('supplies an e-mail address and names that are not in the token', async ({ assert }) => {
    respondWith({
      sub: subjectOf(email),
      email: email.toUpperCase(),
      email_verified: true,
      given_name: 'Ada',
      family_name: 'Lovelace',
      name: 'Countess',
    })
    const caller = await verify()
    assert.equal(caller.email, email)
    assert.deepEqual(caller.names, {
      firstName: 'Ada',
      lastName: 'Lovelace',
      displayName: 'Countess',
    })
  })

  test('is requested with the token', async ({ assert }) => {
    const { token } = await verify()
    const [request] = issuer.requests.filter(({ url }) => url === '/userinfo')
    assert.equal(request.headers.authorization, `Bearer ${token}`)
  })

  const refused: Record<string, { body?: unknown; status?: number; error: typeof InvalidToken }> = {
    'another subject': { body: { sub: 'someone', email: 'a@tests.example' }, error: InvalidToken },
    'no subject': { body: { email: 'a@tests.example' }, error: InvalidToken },
    'nothing': { body: {}, error: InvalidToken },
    'a list': { body: [], error: InvalidToken },
    'text': { body: 'hello', error: InvalidToken },
    'status 401': { body: {}, status: 401, error: InvalidToken },
    'status 403': { body: {}, status: 403, error: InvalidToken },
  }

  test('with the response {$self} makes the token invalid')
    .with(Object.keys(refused))
    .run(async ({ assert }, name) => {
      const { body, status, error } = refused[name]
      respondWith(body, status)
      await assert.rejects(() => verify(), error)
    })

  test('without a valid e-mail address makes the token invalid')
    .with([undefined, null, 'not an address', 5])
    .run(async ({ assert }, given) => {
      respondWith({ sub: subjectOf(email), email: given })
      await assert.rejects(() => verify(), InvalidToken)
    })

  test('can state that the e-mail address is not verified', async ({ assert }) => {
    respondWith({ sub: subjectOf(email), email, email_verified: false })
    await assert.rejects(() => verify(), EmailNotVerified)
  })

  test('with status {$self} is an upstream problem')
    .with([404, 429, 500, 302])
    .run(async ({ assert }, status) => {
      respondWith({}, status)
      await assert.rejects(() => verify(), UpstreamUnreachable)
    })

  test('is an upstream problem when unreachable', async ({ assert, cleanup }) => {
    await verify()
    await issuer.stop()
    cleanup(async () => void (await issuer.resume()))
    await assert.rejects(() => verify({ jti: 'another token' }), UpstreamUnreachable)
  })

  test('is requested again after a failure', async ({ assert }) => {
    const good = issuer.userinfo
    const claims = { jti: 'the same token', iat: 1_700_000_000 }
    respondWith({}, 500)
    await assert.rejects(() => verify(claims), UpstreamUnreachable)
    issuer.userinfo = good
    await verify(claims)
  })
})

test.group('Cached userinfo', (group) => {
  let issuer: TestIssuer
  let clock: TestClock
  let userinfo: Userinfo

  const timesAsked = () => issuer.requests.filter(({ url }) => url === '/userinfo').length
  const inAnHour = () => Math.floor(Date.now() / 1000) + 3_600

  group.setup(async () => {
    issuer = await new TestIssuer().start()
    return () => issuer.stop()
  })

  group.each.setup(() => {
    issuer.requests.length = 0
    issuer.userinfo = () => ({ status: 200, body: { sub: '1' } })
    clock = new TestClock()
    userinfo = new Userinfo(new Issuer(issuer.url, clock.now), clock)
  })

  test('is valid for five minutes', async ({ assert }) => {
    await userinfo.of('a-token', '1', inAnHour())
    clock.advance(5 * MINUTE - SECOND)
    await userinfo.of('a-token', '1', inAnHour())
    assert.equal(timesAsked(), 1)

    clock.advance(2 * SECOND)
    await userinfo.of('a-token', '1', inAnHour())
    assert.equal(timesAsked(), 2)
  })

  test('expires with the token', async ({ assert }) => {
    const expiresAt = Math.floor(Date.now() / 1000) + 60
    await userinfo.of('a-token', '1', expiresAt)
    clock.advance(MINUTE + SECOND)
    await userinfo.of('a-token', '1', expiresAt)
    assert.equal(timesAsked(), 2)
  })

  test('is not stored for a token that only the clock tolerance keeps valid', async ({
    assert,
  }) => {
    const expiresAt = Math.floor(Date.now() / 1000) - 2
    await userinfo.of('a-token', '1', expiresAt)
    await userinfo.of('a-token', '1', expiresAt)
    assert.equal(timesAsked(), 2)
  })

  test('is shared by concurrent requests', async ({ assert }) => {
    const asking = Array.from({ length: 20 }, () => userinfo.of('a-token', '1', inAnHour()))
    const responses = await Promise.all(asking)
    assert.isTrue(responses.every(({ sub }) => sub === '1'))
    assert.equal(timesAsked(), 1)
  })

  test('belongs to one token', async ({ assert }) => {
    issuer.userinfo = (authorization) => ({
      status: 200,
      body: { sub: authorization.endsWith('first') ? '1' : '2' },
    })
    const first = await userinfo.of('first', '1', inAnHour())
    const second = await userinfo.of('second', '2', inAnHour())
    assert.deepEqual([first.sub, second.sub], ['1', '2'])
  })
})
