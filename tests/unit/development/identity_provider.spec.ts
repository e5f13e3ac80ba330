import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import {
  DEVELOPMENT_ACCOUNTS,
  DEVELOPMENT_PASSWORD,
  type IdentityProviderOptions,
  type RunningIdentityProvider,
  mintToken,
  startIdentityProvider,
} from '#development/identity_provider/main'
import { Browser } from '#tests/unit/development/browser'
import {
  CLIENT_ID,
  REDIRECT_URI,
  beginSignIn,
  exchange,
  signIn,
} from '#tests/unit/development/sign_in'

const PROJECT_ID = '320000000000000001'
const SERVICE_TOKEN = 'a-personal-access-token'
const ORGANISATION_CLAIM = 'urn:zitadel:iam:user:resourceowner:id'

let folder: string
let options: IdentityProviderOptions
let idp: RunningIdentityProvider

async function begin() {
  folder = await mkdtemp(join(tmpdir(), 'development-idp-'))
  options = {
    host: '127.0.0.1',
    port: 0,
    keysFile: join(folder, 'keys', 'signing.json'),
    clientId: CLIENT_ID,
    audience: [PROJECT_ID],
    redirectUris: [REDIRECT_URI],
    serviceAccountToken: SERVICE_TOKEN,
  }
  idp = await startIdentityProvider(options)
  return async () => {
    await idp.close()
    await rm(folder, { recursive: true })
  }
}

const mint = (email: string, expiresIn?: string) =>
  mintToken({ ...options, issuer: idp.issuer, email, expiresIn })

const verify = (token: string) =>
  jwtVerify(token, createRemoteJWKSet(new URL(`${idp.issuer}/oauth/v2/keys`)), {
    issuer: idp.issuer,
    audience: PROJECT_ID,
    algorithms: ['RS256'],
  })

const userinfo = (token: string) =>
  fetch(`${idp.issuer}/oidc/v1/userinfo`, { headers: { authorization: `Bearer ${token}` } })

const [ada, grace, alan] = DEVELOPMENT_ACCOUNTS

test.group('Development identity provider, discovery', (group) => {
  group.setup(begin)

  test('names its endpoints where the real provider has them', async ({ assert }) => {
    const response = await fetch(`${idp.issuer}/.well-known/openid-configuration`)
    const discovery = (await response.json()) as Record<string, unknown>

    assert.equal(discovery.issuer, idp.issuer)
    assert.containsSubset(discovery, {
      authorization_endpoint: `${idp.issuer}/oauth/v2/authorize`,
      token_endpoint: `${idp.issuer}/oauth/v2/token`,
      jwks_uri: `${idp.issuer}/oauth/v2/keys`,
      userinfo_endpoint: `${idp.issuer}/oidc/v1/userinfo`,
      end_session_endpoint: `${idp.issuer}/oidc/v1/end_session`,
      introspection_endpoint: `${idp.issuer}/oauth/v2/introspect`,
      revocation_endpoint: `${idp.issuer}/oauth/v2/revoke`,
      token_endpoint_auth_methods_supported: ['none'],
    })
  })

  test('publishes its key without the private part', async ({ assert }) => {
    const response = await fetch(`${idp.issuer}/oauth/v2/keys`)
    const { keys } = (await response.json()) as { keys: object[] }
    assert.lengthOf(keys, 1)
    assert.sameMembers(Object.keys(keys[0]), ['kty', 'kid', 'alg', 'use', 'n', 'e'])
  })

  test('says on its front page and its profile page who can sign in', async ({ assert }) => {
    for (const path of ['/', '/ui/console/users/me']) {
      const body = await (await fetch(`${idp.issuer}${path}`)).text()
      for (const { email } of DEVELOPMENT_ACCOUNTS) assert.include(body, email)
    }
  })
})

test.group('Development identity provider, login page', (group) => {
  group.setup(begin)

  test('loads nothing, runs nothing and offers the ready accounts', async ({ assert }) => {
    const { page } = await beginSignIn(idp.issuer, new Browser())
    const body = await page.text()
    const policy = page.headers.get('content-security-policy')!

    assert.equal(page.status, 200)
    assert.include(policy, "default-src 'none'")
    assert.notInclude(policy, 'unsafe')
    assert.include(policy, new URL(REDIRECT_URI).origin)
    assert.notMatch(body, /<script|https?:\/\//)
    for (const { email } of DEVELOPMENT_ACCOUNTS) {
      assert.include(body, `name="email" value="${email}"`)
    }
  })

  test('refuses a wrong password with 401 and keeps the e-mail', async ({ assert }) => {
    const browser = new Browser()
    const { page } = await beginSignIn(idp.issuer, browser)
    const email = '"><b>x</b>@acme.example'
    const refused = await browser.submit(page.url, { email, password: 'wrong' })
    const body = await refused.text()

    assert.equal(refused.status, 401)
    assert.include(body, 'role="alert"')
    assert.include(body, '&#34;&#62;&#60;b&#62;x')
    assert.notInclude(body, '<b>x')

    const retried = await browser.submit(page.url, { email: ada.email, password: 'concierge' })
    assert.isTrue((await browser.follow(retried)).headers.get('location')!.includes('code='))
  })

  test('refuses what is no e-mail address with 400', async ({ assert }) => {
    const browser = new Browser()
    const { page } = await beginSignIn(idp.issuer, browser)
    const refused = await browser.submit(page.url, { email: 'ada', password: DEVELOPMENT_PASSWORD })
    assert.equal(refused.status, 400)
  })

  test('fills in the e-mail an application suggests', async ({ assert }) => {
    const { page } = await beginSignIn(idp.issuer, new Browser(), { login_hint: 'x@acme.example' })
    assert.include(await page.text(), 'value="x@acme.example"')
  })

  test('answers an unknown sign-in with a page', async ({ assert }) => {
    const response = await fetch(`${idp.issuer}/ui/login/unknown`)
    assert.equal(response.status, 400)
    assert.include(await response.text(), 'start again')
  })

  test('shows errors of the authorization request on a page', async ({ assert }) => {
    const url = `${idp.issuer}/oauth/v2/authorize?client_id=%3Cb%3Enobody`
    const response = await fetch(url, { headers: { accept: 'text/html' } })
    const body = await response.text()
    assert.equal(response.status, 400)
    assert.include(body, 'invalid_client')
    assert.notInclude(body, '<b>nobody')
    assert.include(response.headers.get('content-security-policy')!, "default-src 'none'")
  })

  test('remembers who signed in, until an application asks again', async ({ assert }) => {
    const browser = new Browser()
    const { page } = await beginSignIn(idp.issuer, browser)
    await browser.follow(
      await browser.submit(page.url, { email: ada.email, password: 'concierge' })
    )

    const silent = await beginSignIn(idp.issuer, browser)
    assert.match(silent.page.headers.get('location')!, /^http:\/\/127\.0\.0\.1:3333\/.*code=/)

    for (const prompt of ['login', 'select_account']) {
      const asked = await beginSignIn(idp.issuer, browser, { prompt })
      assert.include(asked.page.url, '/ui/login/')
    }
    const consenting = await beginSignIn(idp.issuer, browser, { prompt: 'consent' })
    assert.include(consenting.page.headers.get('location')!, 'code=')
  })

  test('signs out after one question', async ({ assert }) => {
    const browser = new Browser()
    const { page } = await beginSignIn(idp.issuer, browser)
    await browser.follow(
      await browser.submit(page.url, { email: ada.email, password: 'concierge' })
    )

    const question = await (await browser.get(`${idp.issuer}/oidc/v1/end_session`)).text()
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(question)![1]
    const confirm = `${idp.issuer}/oidc/v1/end_session/confirm`
    const done = await browser.follow(await browser.submit(confirm, { xsrf, logout: 'yes' }))
    assert.include(await done.text(), 'Signed out')

    const next = await beginSignIn(idp.issuer, browser)
    assert.include(next.page.url, '/ui/login/')
  })
})

test.group('Development identity provider, tokens of a login', (group) => {
  group.setup(begin)

  test('are shaped like those of the real provider', async ({ assert }) => {
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

  test('come with an ID token that tells the same person', async ({ assert }) => {
    const scope = 'openid profile email urn:zitadel:iam:user:resourceowner urn:unknown'
    const { id_token: idToken } = await signIn(idp.issuer, grace.email, { scope })
    const claims = decodeJwt(idToken)
    assert.equal(claims.sub, grace.userId)
    assert.equal(claims.email, grace.email)
    assert.equal(claims.name, 'Grace Hopper')
    assert.isString(claims[ORGANISATION_CLAIM])
    assert.equal((await userinfo(idToken)).status, 401)
  })

  test('know any other e-mail as a plain account with a stable id', async ({ assert }) => {
    const first = decodeJwt((await signIn(idp.issuer, ' New.Person@ACME.example ')).access_token)
    const second = decodeJwt((await signIn(idp.issuer, 'new.person@acme.example')).access_token)
    assert.match(first.sub!, /^\d{18}$/)
    assert.equal(first.sub, second.sub)
    assert.notInclude([ada.userId, grace.userId, alan.userId], first.sub)
    assert.equal(first.email, 'new.person@acme.example')
    assert.equal(first.given_name, 'New')
    assert.equal(first.family_name, 'Person')
  })

  test('are refreshed when offline access was asked for', async ({ assert }) => {
    const without = await signIn(idp.issuer, ada.email)
    assert.notProperty(without, 'refresh_token')

    const tokens = await signIn(idp.issuer, ada.email, { scope: 'openid email offline_access' })
    const fields = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token! }
    const refreshed = (await (await exchange(idp.issuer, fields)).json()) as typeof tokens
    const { payload } = await verify(refreshed.access_token)
    assert.equal(payload.email, ada.email)
    assert.equal((await exchange(idp.issuer, fields)).status, 400, 'a refresh token works once')
  })

  test('need the PKCE verifier', async ({ assert }) => {
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

  test('are refused to other redirect addresses', async ({ assert }) => {
    const elsewhere = { redirect_uri: 'http://evil.example/callback' }
    const { page } = await beginSignIn(idp.issuer, new Browser(), elsewhere)
    assert.equal(page.status, 400)

    const sameServiceByName = { redirect_uri: REDIRECT_URI.replace('127.0.0.1', 'localhost') }
    const { page: login } = await beginSignIn(idp.issuer, new Browser(), sameServiceByName)
    assert.equal(login.status, 200)
  })

  test('answer at userinfo and introspection', async ({ assert }) => {
    const { access_token: token } = await signIn(idp.issuer, ada.email)
    const claims = await (await userinfo(token)).json()
    assert.containsSubset(claims, { sub: ada.userId, email: ada.email, email_verified: true })

    const body = new URLSearchParams({ token })
    const introspected = await fetch(`${idp.issuer}/oauth/v2/introspect`, { method: 'POST', body })
    assert.containsSubset(await introspected.json(), { active: true, sub: ada.userId })
  })

  test('are refused at userinfo and introspection when broken', async ({ assert }) => {
    for (const token of [
      '',
      'nonsense',
      `${await mint(ada.email)}x`,
      await mint(ada.email, '-1m'),
    ]) {
      const refused = await userinfo(token)
      assert.equal(refused.status, 401)
      assert.include(refused.headers.get('www-authenticate')!, 'invalid_token')

      const body = new URLSearchParams({ token })
      const answer = await fetch(`${idp.issuer}/oauth/v2/introspect`, { method: 'POST', body })
      assert.deepEqual(await answer.json(), { active: false })
    }
  })
})

test.group('Development identity provider, minted tokens', (group) => {
  group.setup(begin)

  test('have the same claims as those of a login', async ({ assert }) => {
    const minted = await mint(grace.email)
    const { access_token: given } = await signIn(idp.issuer, grace.email)
    const varying = { iat: 0, nbf: 0, exp: 0, jti: '' }
    assert.deepEqual({ ...decodeJwt(minted), ...varying }, { ...decodeJwt(given), ...varying })
    assert.deepEqual(decodeProtectedHeader(minted), decodeProtectedHeader(given))
    await verify(minted)
    assert.equal((await userinfo(minted)).status, 200)
  })

  test('outlive a restart and need no running provider', async ({ assert }) => {
    const before = await mint('someone@acme.example', '1h')
    await idp.close()
    const between = await mint('someone@acme.example')
    idp = await startIdentityProvider({ ...options, port: idp.port })
    for (const token of [before, between]) {
      await verify(token)
      assert.equal((await userinfo(token)).status, 200)
    }
  })

  test('refuse what is no e-mail address', async ({ assert }) => {
    await assert.rejects(() => mint('nobody'), /not an e-mail address/)
  })

  test('agree on one key when many processes want the first one', async ({ assert }) => {
    const keysFile = join(folder, 'raced', 'key.json')
    const mintings = Array.from({ length: 4 }, () =>
      mintToken({ ...options, keysFile, issuer: idp.issuer, email: ada.email })
    )
    const kids = (await Promise.all(mintings)).map((token) => decodeProtectedHeader(token).kid)
    assert.lengthOf(new Set(kids), 1)
  })

  test('keep their key to the owner of the file', async ({ assert }) => {
    const { mode } = await stat(options.keysFile)
    assert.equal(mode & 0o777, 0o600)
    assert.property(JSON.parse(await readFile(options.keysFile, 'utf8')), 'd')
  }).skip(process.platform === 'win32', 'Windows has no file modes')
})

test.group('Development identity provider, user API', (group) => {
  group.each.setup(begin)

  const user = (userId: string, init: RequestInit & { token?: string } = {}) =>
    fetch(`${idp.issuer}/v2/users/${userId}`, {
      ...init,
      headers: { authorization: `Bearer ${init.token ?? SERVICE_TOKEN}` },
    })

  const rename = (userId: string, profile: object) =>
    user(userId, { method: 'PATCH', body: JSON.stringify({ human: { profile } }) })

  test('shows changed names in later tokens of the account', async ({ assert }) => {
    const names = { givenName: 'Ada', familyName: 'King', displayName: 'Ada King' }
    const response = await rename(ada.userId, names)
    const { changeDate } = (await response.json()) as { changeDate: string }
    assert.equal(response.status, 200)
    assert.isFalse(Number.isNaN(Date.parse(changeDate)))

    const { access_token: signedIn } = await signIn(idp.issuer, ada.email)
    for (const token of [signedIn, await mint(ada.email)]) {
      assert.containsSubset(decodeJwt(token), { family_name: 'King', name: 'Ada King' })
    }
    const claims = await (await userinfo(signedIn)).json()
    assert.containsSubset(claims, { family_name: 'King' })

    const { user: record } = (await (await user(ada.userId)).json()) as { user: object }
    assert.containsSubset(record, {
      userId: ada.userId,
      human: { profile: names, email: { email: ada.email, isVerified: true } },
    })
  })

  test('changes only the names given', async ({ assert }) => {
    await rename(alan.userId, { displayName: 'Prof' })
    assert.containsSubset(decodeJwt(await mint(alan.email)), { name: 'Prof', given_name: 'Alan' })
  })

  test('renames an account that has only a minted token', async ({ assert }) => {
    const { sub } = decodeJwt(await mint('minted@acme.example'))
    assert.equal((await user(sub!)).status, 404)
    assert.equal((await rename(sub!, { givenName: 'Minna' })).status, 200)
    assert.equal(decodeJwt(await mint('minted@acme.example')).given_name, 'Minna')
  })

  test('refuses other callers, unknown users and unusable bodies', async ({ assert }) => {
    const denied = await user(ada.userId, { token: 'guessed' })
    assert.equal(denied.status, 401)
    assert.containsSubset(await denied.json(), { code: 16 })

    const unknown = await rename('123', { givenName: 'X' })
    assert.equal(unknown.status, 404)
    assert.containsSubset(await unknown.json(), { code: 5 })

    assert.equal((await rename(ada.userId, { givenName: 5 })).status, 400)
    assert.equal((await user(ada.userId, { method: 'PATCH', body: '{' })).status, 400)
    assert.equal((await user(ada.userId, { method: 'PATCH', body: 'null' })).status, 200)
    assert.equal((await user(ada.userId, { method: 'DELETE' })).status, 405)
    assert.equal((await rename(ada.userId, { givenName: 'x'.repeat(70_000) })).status, 413)
  })
})

test.group('Development identity provider, process', (group) => {
  group.each.setup(begin)

  test('names the port that is in use', async ({ assert }) => {
    const second = () => startIdentityProvider({ ...options, port: idp.port })
    await assert.rejects(second, new RegExp(`Port ${idp.port} .* already in use`))
  })

  test('names the key file that holds no key', async ({ assert }) => {
    const keysFile = join(folder, 'keys', 'signing.names.json')
    await fetch(`${idp.issuer}/v2/users/${ada.userId}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${SERVICE_TOKEN}` },
      body: '{}',
    })
    const start = () => startIdentityProvider({ ...options, keysFile })
    await assert.rejects(start, /signing\.names\.json holds no RSA signing key/)
  })

  test('closes at once although connections are kept alive', async ({ assert }) => {
    const agent = new Agent({ keepAlive: true })
    await new Promise((resolve) => {
      get(`${idp.issuer}/`, { agent }, (response) => response.resume().on('end', resolve))
    })
    const began = performance.now()
    await idp.close()
    await idp.close()
    assert.isBelow(performance.now() - began, 1_000)
    agent.destroy()
  })

  test('takes another issuer than its address', async ({ assert }) => {
    const elsewhere = await startIdentityProvider({ ...options, issuer: 'http://id.test' })
    const response = await fetch(
      `http://127.0.0.1:${elsewhere.port}/.well-known/openid-configuration`
    )
    assert.containsSubset(await response.json(), { issuer: 'http://id.test' })
    assert.equal(elsewhere.issuer, 'http://id.test')
    await elsewhere.close()
  })
})
