import { test } from '@japa/runner'
import fc from 'fast-check'
import { exportJWK, generateKeyPair } from 'jose'
import { InvalidToken } from '#app/auth/exceptions'
import { TokenVerifier } from '#app/auth/token/token_verifier'
import { VerifiedTokens } from '#app/auth/token/verified_tokens'
import { uniqueEmail } from '#tests/helpers/people'
import { AUDIENCE, TestIssuer, subjectOf } from '#tests/world/issuer'

const settings = (url: string) => ({
  issuer: url,
  audience: [AUDIENCE],
  clockToleranceSeconds: 5,
})

test.group('Signing algorithms', (group) => {
  let issuer: TestIssuer

  group.setup(async () => {
    issuer = await new TestIssuer().start()
    return () => issuer.stop()
  })

  /** A token signed with a new key, which the issuer publishes. */
  async function signedWith(alg: string, email: string) {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
    const kid = crypto.randomUUID()
    issuer.publicKeys.push({ ...(await exportJWK(publicKey)), kid, use: 'sig' })
    return issuer.token(email, { header: { alg, kid }, key: privateKey })
  }

  test('{$self} is accepted')
    .with(['RS256', 'RS512', 'PS256', 'PS384', 'ES256', 'ES384', 'ES512', 'EdDSA'])
    .run(async ({ assert }, alg) => {
      const email = uniqueEmail()
      const token = await signedWith(alg, email)
      const caller = await new TokenVerifier(settings(issuer.url)).verify(`Bearer ${token}`)
      assert.equal(caller.email, email)
    })

  test('{$self} is refused even with a published key')
    .with(['HS256', 'HS384', 'HS512'])
    .run(async ({ assert }, alg) => {
      const key = crypto.getRandomValues(new Uint8Array(64))
      const kid = crypto.randomUUID()
      issuer.publicKeys.push({ kty: 'oct', k: Buffer.from(key).toString('base64url'), kid })
      const token = await issuer.token(uniqueEmail(), { header: { alg, kid }, key })
      await assert.rejects(
        () => new TokenVerifier(settings(issuer.url)).verify(`Bearer ${token}`),
        InvalidToken
      )
    })
})

test.group('The caller behind a token', (group) => {
  let issuer: TestIssuer
  let verifier: TokenVerifier

  group.setup(async () => {
    issuer = await new TestIssuer().start()
    verifier = new TokenVerifier(settings(issuer.url))
    return () => issuer.stop()
  })

  const callerWith = async (claims: Record<string, unknown>, email = uniqueEmail()) =>
    verifier.verify(`Bearer ${await issuer.token(email, { claims })}`)

  test('has the identity, names and organisation of the token', async ({ assert }) => {
    const email = uniqueEmail()
    const caller = await callerWith(
      {
        'iat': 1_750_000_000,
        'given_name': ' Ada ',
        'family_name': 'Lovelace',
        'name': 'Countess',
        'urn:zitadel:iam:user:resourceowner:id': '42',
      },
      email
    )
    assert.equal(caller.email, email)
    assert.equal(caller.subject, subjectOf(email))
    assert.equal(caller.issuedAt.toMillis(), 1_750_000_000_000)
    assert.equal(caller.organisationId, '42')
    assert.deepEqual(caller.names, {
      firstName: 'Ada',
      lastName: 'Lovelace',
      displayName: 'Countess',
    })
  })

  test('has no names that are not usable text')
    .with([undefined, null, '', '   ', 5, ['Ada'], 'a\u0000b', '\ud800', 'x'.repeat(201)])
    .run(async ({ assert }, name) => {
      const caller = await callerWith({ given_name: name, family_name: name, name })
      assert.deepEqual(caller.names, {})
    })

  test('has no organisation that is not a usable id')
    .with([undefined, null, '', 5, 'a\u0000b', '1'.repeat(256)])
    .run(async ({ assert }, id) => {
      const caller = await callerWith({ 'urn:zitadel:iam:user:resourceowner:id': id })
      assert.isNull(caller.organisationId)
    })

  test('may have any audience if none is configured', async ({ assert }) => {
    const open = new TokenVerifier({ ...settings(issuer.url), audience: [] })
    const email = uniqueEmail()
    const token = await issuer.token(email, { claims: { aud: undefined } })
    assert.equal((await open.verify(`Bearer ${token}`)).email, email)
  })
})

test.group('An invalid Authorization header', (group) => {
  let issuer: TestIssuer

  group.setup(async () => {
    issuer = await new TestIssuer().start()
    return () => issuer.stop()
  })

  const part = fc.oneof(
    fc.json().map((text) => Buffer.from(text).toString('base64url')),
    fc
      .record(
        {
          alg: fc.oneof(
            fc.constantFrom('RS256', 'none', 'HS256', 'ES256', 'toString'),
            fc.anything()
          ),
          kid: fc.oneof(fc.constantFrom('key-1', '__proto__', ''), fc.anything()),
          typ: fc.anything(),
          crit: fc.anything(),
          b64: fc.boolean(),
          jku: fc.webUrl(),
        },
        { requiredKeys: [] }
      )
      .map((header) => Buffer.from(textOf(header)).toString('base64url')),
    fc.stringMatching(/^[\w-]{0,40}$/)
  )

  test('is an invalid token, never a failure', async ({ assert }) => {
    const verifier = new TokenVerifier(settings(issuer.url))
    const header = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(part, { minLength: 2, maxLength: 4 }).map((parts) => `Bearer ${parts.join('.')}`)
    )
    const property = fc.asyncProperty(header, async (authorization) => {
      await assert.rejects(() => verifier.verify(authorization), InvalidToken)
    })
    await fc.assert(property, { numRuns: 500 })
  })
})

/** JSON without the values that JSON cannot represent. */
function textOf(value: unknown) {
  const plain = (_: string, part: unknown) => (typeof part === 'bigint' ? String(part) : part)
  try {
    return JSON.stringify(value, plain)
  } catch {
    return '{}'
  }
}

test.group('A token that was verified before', (group) => {
  let issuer: TestIssuer
  let verifier: TokenVerifier

  group.each.setup(async () => {
    issuer = await new TestIssuer().start()
    verifier = new TokenVerifier(settings(issuer.url))
    await verifier.verify(`Bearer ${await issuer.token(uniqueEmail())}`)
    return () => issuer.stop()
  })

  test('belongs to the same caller', async ({ assert }) => {
    const email = uniqueEmail()
    const authorization = `Bearer ${await issuer.token(email)}`
    const first = await verifier.verify(authorization)
    assert.deepEqual(await verifier.verify(authorization), first)
    assert.notStrictEqual(await verifier.verify(authorization), first)
  })

  test('is found without waiting until the issuer changes its keys', async ({ assert }) => {
    const authorization = `Bearer ${await issuer.token(uniqueEmail())}`
    assert.isUndefined(verifier.findVerified(authorization))
    const caller = await verifier.verify(authorization)
    assert.deepEqual(verifier.findVerified(authorization), caller)
    assert.isUndefined(verifier.findVerified(authorization.replace('Bearer', 'Basic')))
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
    issuer.publicKeys.push({ ...(await exportJWK(publicKey)), kid: 'new' })
    const header = { alg: 'ES256', kid: 'new' }
    await verifier.verify(
      `Bearer ${await issuer.token(uniqueEmail(), { header, key: privateKey })}`
    )
    assert.isUndefined(verifier.findVerified(authorization))
    assert.equal((await verifier.verify(authorization)).email, caller.email)
  })

  test('is verified again once it has expired', ({ assert }) => {
    const tokens = new VerifiedTokens()
    const second = Math.floor(Date.now() / 1_000)
    const keys = {}
    tokens.set('valid', { claims: { exp: second + 60 }, keys })
    tokens.set('expired', { claims: { exp: second - 1 }, keys })
    assert.deepEqual(tokens.get('valid'), { claims: { exp: second + 60 }, keys })
    assert.isUndefined(tokens.get('expired'))
  })

  test('does not make a changed copy valid', async ({ assert }) => {
    const token = await issuer.token(uniqueEmail())
    await verifier.verify(`Bearer ${token}`)
    const [header, payload, signature] = token.split('.')
    const other = signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))
    for (const copy of [`${header}.${payload}.${other}`, `${header}.${payload}.`]) {
      await assert.rejects(() => verifier.verify(`Bearer ${copy}`), InvalidToken)
    }
  })
})
