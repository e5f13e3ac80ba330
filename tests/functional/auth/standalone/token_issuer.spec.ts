import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import { eventually } from '#tests/helpers/eventually'
import { uniqueEmail } from '#tests/helpers/people'
import { TestIssuer, type TokenOptions, subjectOf } from '#tests/world/issuer'
import { type RunningService, startService } from '#tests/world/service'

const CHALLENGE = /^Bearer .*error="invalid_token"/

/** Rotation and outages need a separate issuer, and so a separate service process. */
test.group('The token issuer', (group) => {
  let issuer: TestIssuer
  let service: RunningService

  group.each.setup(async () => {
    issuer = await new TestIssuer().start()
    service = await startService({ IDP_ISSUER: issuer.url })
    return async () => {
      await service.stop()
      await issuer.stop()
    }
  })

  const timesAsked = (path: string) => issuer.requests.filter(({ url }) => url === path).length
  const me = async (client: ApiClient, email: string, options?: TokenOptions) => {
    const token = await issuer.token(email, options)
    return client
      .get(`${service.url}/api/profile/me`)
      .header('authorization', `Bearer ${token}`)
      .send()
  }

  test('can rotate its keys: new keys work immediately, withdrawn ones stop working', async ({
    assert,
    client,
  }) => {
    const email = uniqueEmail()
    const old = await issuer.token(email)
    const before = await me(client, email)
    before.assertStatus(200)

    await issuer.rotate()
    const after = await Promise.all(Array.from({ length: 10 }, () => me(client, email)))
    after.forEach((response) => response.assertStatus(200))
    const withdrawn = await client
      .get(`${service.url}/api/profile/me`)
      .header('authorization', `Bearer ${old}`)
    withdrawn.assertProblem(401, 'UNAUTHENTICATED')

    for (let i = 0; i < 20; i++) {
      const unknown = await me(client, email, { header: { kid: crypto.randomUUID() } })
      unknown.assertProblem(401, 'UNAUTHENTICATED')
      assert.match(unknown.header('www-authenticate')!, CHALLENGE)
    }
    assert.equal(timesAsked('/keys'), 2)
  })

  test('can be down: known keys keep working, unknown ones return 502', async ({ client }) => {
    const email = uniqueEmail()
    const first = await me(client, email)
    first.assertStatus(200)

    await issuer.stop()
    const known = await me(client, email)
    known.assertStatus(200)
    const unknown = await me(client, email, { header: { kid: 'unknown' } })
    unknown.assertProblem(502, 'UPSTREAM_UNREACHABLE')

    await issuer.resume()
    const again = await me(client, email)
    again.assertStatus(200)
  })

  test('can be down at startup: requests return 502 until it is back', async ({ client }) => {
    const email = uniqueEmail()
    await issuer.stop()
    const during = await me(client, email)
    during.assertProblem(502, 'UPSTREAM_UNREACHABLE')

    await issuer.resume()
    await eventually('tokens are accepted', async () => (await me(client, email)).status() === 200)
  })

  test('is called once for the owner of a token without an e-mail claim', async ({
    assert,
    client,
  }) => {
    const email = uniqueEmail()
    const withoutEmail = { claims: { email: undefined, email_verified: undefined } }
    issuer.userinfo = () => ({
      status: 200,
      body: { sub: subjectOf(email), email, email_verified: true },
    })
    const token = await issuer.token(email, withoutEmail)
    for (let i = 0; i < 3; i++) {
      const response = await client
        .get(`${service.url}/api/profile/me`)
        .header('authorization', `Bearer ${token}`)
      response.assertStatus(200)
      response.assertBodyContains({ data: { email } })
    }
    assert.equal(timesAsked('/userinfo'), 1)

    issuer.userinfo = () => ({
      status: 200,
      body: { sub: subjectOf(email), email, email_verified: false },
    })
    const unverified = await me(client, email, { claims: { ...withoutEmail.claims, jti: '1' } })
    unverified.assertProblem(401, 'EMAIL_NOT_VERIFIED')
    assert.match(unverified.header('www-authenticate')!, CHALLENGE)

    issuer.userinfo = () => ({ status: 401, body: {} })
    const refused = await me(client, email, { claims: { ...withoutEmail.claims, jti: '2' } })
    refused.assertProblem(401, 'UNAUTHENTICATED')
    assert.match(refused.header('www-authenticate')!, CHALLENGE)

    issuer.userinfo = () => ({ status: 503, body: {} })
    const unreachable = await me(client, email, { claims: { ...withoutEmail.claims, jti: '3' } })
    unreachable.assertProblem(502, 'UPSTREAM_UNREACHABLE')
  })
})
