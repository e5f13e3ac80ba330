import { test } from '@japa/runner'
import { type CryptoKey, exportSPKI, generateKeyPair, importJWK } from 'jose'
import { SUPER_ADMIN, issuer } from '#tests/world/prepare'
import { AUDIENCE, type TokenOptions } from '#tests/world/issuer'
import { uniqueEmail } from '#tests/helpers/people'

/** RFC 6750, section 3. */
const CHALLENGE =
  /^Bearer (?:realm="[^"]*", )?error="invalid_token", error_description="[ !#-[\]-~]+"$/

const now = () => Math.floor(Date.now() / 1000)
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const bearer = async (options: TokenOptions, email = uniqueEmail()) =>
  `Bearer ${await issuer.token(email, options)}`
const claims = (given: Record<string, unknown>) => () => bearer({ claims: given })
const header = (given: Record<string, unknown>) => () => bearer({ header: given })

/** A valid token whose parts were replaced after signing. */
async function tampered(change: (parts: { header: object; payload: object }) => unknown[]) {
  const [head, payload, signature] = (await issuer.token(uniqueEmail())).split('.')
  const parse = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
  const changed = change({ header: parse(head), payload: parse(payload) }).map(encode)
  return `Bearer ${[...changed, signature].join('.')}`
}

const publicKeyText = async () =>
  exportSPKI((await importJWK({ ...issuer.publicKeys[0], ext: true }, 'RS256')) as CryptoKey)

const refused: Record<string, () => Promise<string> | string> = {
  'an empty header': () => '',
  'another scheme': () => 'Basic cm9vdDpyb290',
  'the scheme alone': () => 'Bearer',
  'garbage': () => 'Bearer garbage',
  'garbage in three parts': () => 'Bearer a.b.c',
  'parts that are JSON but no token': () => `Bearer ${encode([])}.${encode(null)}.AAAA`,
  'two tokens': async () => `${await bearer({})}, ${await bearer({})}`,
  'a token with a fourth part': async () => `${await bearer({})}.AAAA`,
  'a token without its signature': async () => (await bearer({})).replace(/[^.]+$/, ''),
  'another signature': async () => (await bearer({})).replace(/[^.]+$/, 'A'.repeat(342)),
  'alg none': async () =>
    tampered(({ header: head, payload }) => [{ ...head, alg: 'none' }, payload]),
  'alg none without a signature': async () =>
    `Bearer ${encode({ alg: 'none', typ: 'JWT' })}.${encode({ sub: '1', email: SUPER_ADMIN })}.`,
  'HS256 with the public key as the secret': async () =>
    bearer({ header: { alg: 'HS256' }, key: new TextEncoder().encode(await publicKeyText()) }),
  'a payload changed after signing': async () =>
    tampered(({ header: head, payload }) => [head, { ...payload, email: SUPER_ADMIN }]),
  'an algorithm changed after signing': async () =>
    tampered(({ header: head, payload }) => [{ ...head, alg: 'PS256' }, payload]),
  'the key of someone else under our key id': async () =>
    bearer({ key: (await generateKeyPair('RS256')).privateKey }),
  'an unknown key id': header({ kid: 'never-heard-of' }),
  'a critical header nobody understands': async () =>
    tampered(({ header: head, payload }) => [{ ...head, crit: ['exp'], exp: 1 }, payload]),
  'a key that the token brings along': async () => {
    const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
    const jwk = await crypto.subtle.exportKey('jwk', publicKey)
    return bearer({ header: { jwk, kid: undefined }, key: privateKey })
  },
  'another issuer': claims({ iss: 'https://elsewhere.example' }),
  'our issuer with a slash': () => claims({ iss: `${issuer.url}/` })(),
  'no issuer': claims({ iss: undefined }),
  'another audience': claims({ aud: 'someone-else' }),
  'audiences without ours': claims({ aud: ['someone-else', `${AUDIENCE}-not`] }),
  'an empty list of audiences': claims({ aud: [] }),
  'no audience': claims({ aud: undefined }),
  'no exp': claims({ exp: undefined }),
  'no iat': claims({ iat: undefined }),
  'no sub': claims({ sub: undefined }),
  'an empty sub': claims({ sub: '' }),
  'a sub that is no text': claims({ sub: 5 }),
  'a sub that no database stores': claims({ sub: '\u0000' }),
  'a sub that is longer than a sub may be': claims({ sub: '1'.repeat(256) }),
  'an exp that is no number': claims({ exp: 'never' }),
  'an iat that is no number': claims({ iat: '2026-01-01' }),
  'an iat beyond all time': claims({ iat: 1e300 }),
  'an exp beyond the tolerance': () => bearer({ claims: { exp: now() - 10 } }),
  'an nbf in the future': () => bearer({ claims: { nbf: now() + 60 } }),
  'an e-mail claim that is no address': claims({ email: 'not an address' }),
  'an empty e-mail claim': claims({ email: '' }),
  'an e-mail claim that is no text': claims({ email: ['a@tests.example'] }),
  'an e-mail claim with a NUL character': claims({ email: 'a\u0000b@tests.example' }),
  'a header longer than any token': () => `Bearer ${'a'.repeat(15_000)}`,
}

const accepted: Record<string, () => Promise<string>> = {
  'the token of the provider': () => bearer({}),
  'a scheme in lower case': async () => (await bearer({})).replace('Bearer', 'bearer'),
  'our audience as text': claims({ aud: AUDIENCE }),
  'our audience among others': claims({ aud: ['someone-else', AUDIENCE] }),
  'another audience of the settings': claims({ aud: ['another-audience'] }),
  'an exp within the tolerance': () => bearer({ claims: { exp: now() - 3 } }),
  'an nbf within the tolerance': () => bearer({ claims: { nbf: now() + 3 } }),
  'a token with thousands of characters of claims': claims({ roles: 'x'.repeat(8_000) }),
}

test.group('Tokens', () => {
  test('a request without an Authorization header returns 401 with a challenge', async ({
    assert,
    client,
  }) => {
    const response = await client.get('/api/profile/me')
    response.assertProblem(401, 'UNAUTHENTICATED')
    assert.match(response.header('www-authenticate')!, CHALLENGE)
  })

  test('a request with {$self} returns 401 with a challenge')
    .with(Object.keys(refused))
    .run(async ({ assert, client }, name) => {
      const response = await client
        .get('/api/profile/me')
        .header('authorization', await refused[name]())
      response.assertProblem(401, 'UNAUTHENTICATED')
      assert.match(response.header('www-authenticate')!, CHALLENGE)
    })

  test('a request with {$self} is accepted')
    .with(Object.keys(accepted))
    .run(async ({ client }, name) => {
      const response = await client
        .get('/api/profile/me')
        .header('authorization', await accepted[name]())
      response.assertStatus(200)
    })

  test('email_verified {$self} returns 401 EMAIL_NOT_VERIFIED')
    .with(['false', false, undefined, null, 0, 'no'])
    .run(async ({ assert, client }, verified) => {
      const response = await client
        .get('/api/profile/me')
        .header('authorization', await bearer({ claims: { email_verified: verified } }))
      response.assertProblem(401, 'EMAIL_NOT_VERIFIED')
      assert.match(response.header('www-authenticate')!, CHALLENGE)
    })

  test('the e-mail address is canonicalized', async ({ assert, client }) => {
    const email = uniqueEmail('ada')
    const ids = []
    for (const spelling of [email, email.toUpperCase(), ` ${email} `]) {
      const authorization = await bearer({ claims: { email: spelling } }, email)
      const response = await client.get('/api/profile/me').header('authorization', authorization)
      response.assertBodyContains({ data: { email } })
      ids.push(response.body().data.id)
    }
    assert.lengthOf(new Set(ids), 1)
  })

  test('the token is verified before the body is read', async ({ client }) => {
    const response = await client
      .put('/api/profile/me')
      .header('authorization', 'Bearer garbage')
      .header('content-type', 'application/json')
      .setup((request) => void request.request.send('{"broken'))
    response.assertProblem(401, 'UNAUTHENTICATED')
  })
})
