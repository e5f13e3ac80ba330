import { test } from '@japa/runner'
import { decodeJwt } from 'jose'
import { DEVELOPMENT_ACCOUNTS } from '#development/identity_provider/main'
import { Browser } from '#tests/helpers/browser'
import {
  PROJECT_ID,
  ORGANISATION_CLAIM,
  idp,
  beginProvider,
  mint,
  verify,
  userinfo,
  introspect,
} from '#tests/unit/development/provider_under_test'
import {
  CLIENT_ID,
  REDIRECT_URI,
  beginSignIn,
  exchange,
  signIn,
} from '#tests/unit/development/sign_in'

const [ada, grace, alan] = DEVELOPMENT_ACCOUNTS

test.group('Development identity provider, tokens of a login', (group) => {
  group.setup(beginProvider)

  test('look like those of the real provider', async ({ assert }) => {
    const { access_token: token, expires_in: lifetime } = await signIn(idp.issuer, ada.email)
    const { payload, protectedHeader } = await verify(token)

    assert.deepEqual(Object.keys(protectedHeader).sort(), ['alg', 'kid', 'typ'])
    assert.equal(protectedHeader.typ, 'JWT')
    assert.equal(lifetime, 12 * 60 * 60)
    assert.match(payload.sub!, /^\d{18}$/)
    assert.isString(payload.jti)
    assert.equal(payload.exp! - payload.iat!, 12 * 60 * 60)
    assert.equal(payload.nbf, payload.iat)
    assert.notProperty(payload, 'scope')
    assert.containsSubset(payload, {
      iss: idp.issuer,
      sub: ada.userId,
      aud: [CLIENT_ID, PROJECT_ID],
      client_id: CLIENT_ID,
      email: 'ada@acme.example',
      email_verified: true,
      given_name: 'Ada',
      family_name: 'Lovelace',
      name: 'Ada Lovelace',
    })
    assert.match(String(payload[ORGANISATION_CLAIM]), /^\d+$/)
  })

  test('come with an ID token for the same user', async ({ assert }) => {
    const scope = 'openid profile email urn:zitadel:iam:user:resourceowner urn:unknown'
    const { id_token: idToken } = await signIn(idp.issuer, grace.email, { scope })
    const claims = decodeJwt(idToken)
    assert.equal(claims.sub, grace.userId)
    assert.equal(claims.email, grace.email)
    assert.equal(claims.name, 'Grace Hopper')
    assert.isString(claims[ORGANISATION_CLAIM])
    assert.equal((await userinfo(idToken)).status, 401)
  })

  test('identify any other address as a plain account with a stable id', async ({ assert }) => {
    const first = decodeJwt((await signIn(idp.issuer, ' New.Person@ACME.example ')).access_token)
    const second = decodeJwt((await signIn(idp.issuer, 'new.person@acme.example')).access_token)
    assert.match(first.sub!, /^\d{18}$/)
    assert.equal(first.sub, second.sub)
    assert.notInclude([ada.userId, grace.userId, alan.userId], first.sub!)
    assert.equal(first.email, 'new.person@acme.example')
    assert.equal(first.given_name, 'New')
    assert.equal(first.family_name, 'Person')
  })

  test('can be refreshed with the scope offline_access', async ({ assert }) => {
    const without = await signIn(idp.issuer, ada.email)
    assert.notProperty(without, 'refresh_token')

    const tokens = await signIn(idp.issuer, ada.email, { scope: 'openid email offline_access' })
    const fields = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token! }
    const refreshed = (await (await exchange(idp.issuer, fields)).json()) as typeof tokens
    const { payload } = await verify(refreshed.access_token)
    assert.equal(payload.email, ada.email)
    assert.equal((await exchange(idp.issuer, fields)).status, 400, 'a refresh token works once')
  })

  test('require the PKCE verifier', async ({ assert }) => {
    const browser = new Browser()
    const { page } = await beginSignIn(idp.issuer, browser)
    const submitted = await browser.submit(page.url, { email: ada.email, password: 'concierge' })
    const callback = new URL((await browser.follow(submitted)).headers.get('location')!)
    assert.equal(callback.searchParams.get('state'), 'a-state')

    const code = callback.searchParams.get('code')!
    const fields = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI }
    const refused = await exchange(idp.issuer, { ...fields, code_verifier: 'x'.repeat(43) })
    assert.equal(refused.status, 400)
  })

  test('are refused for other redirect URIs', async ({ assert }) => {
    const elsewhere = { redirect_uri: 'http://evil.example/callback' }
    const { page } = await beginSignIn(idp.issuer, new Browser(), elsewhere)
    assert.equal(page.status, 400)

    const sameServiceByName = { redirect_uri: REDIRECT_URI.replace('127.0.0.1', 'localhost') }
    const { page: login } = await beginSignIn(idp.issuer, new Browser(), sameServiceByName)
    assert.equal(login.status, 200)
  })

  test('work at userinfo and introspection', async ({ assert }) => {
    const { access_token: token } = await signIn(idp.issuer, ada.email)
    const claims = await (await userinfo(token)).json()
    assert.containsSubset(claims, { sub: ada.userId, email: ada.email, email_verified: true })

    const introspected = await (await introspect(token)).json()
    assert.containsSubset(introspected, { active: true, sub: ada.userId })
  })

  test('are refused at userinfo and introspection if they are broken', async ({ assert }) => {
    for (const token of [
      '',
      'nonsense',
      `${await mint(ada.email)}x`,
      await mint(ada.email, '-1m'),
    ]) {
      const refused = await userinfo(token)
      assert.equal(refused.status, 401)
      assert.include(refused.headers.get('www-authenticate')!, 'invalid_token')
      assert.deepEqual(await (await introspect(token)).json(), { active: false })
    }
  })
})
