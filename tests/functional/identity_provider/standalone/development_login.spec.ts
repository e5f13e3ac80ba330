import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from '@japa/runner'
import {
  DEVELOPMENT_ACCOUNTS,
  DEVELOPMENT_PASSWORD,
  type RunningIdentityProvider,
  startIdentityProvider,
} from '#development/identity_provider/main'
import { problemOf } from '#tests/helpers/send'
import { Browser } from '#tests/helpers/browser'
import { freePort } from '#tests/world/free_port'
import { type RunningService, startService } from '#tests/world/service'

const CLIENT_ID = 'concierge-development'
const PROJECT_ID = '320000000000000001'
const [, , alan] = DEVELOPMENT_ACCOUNTS

let provider: RunningIdentityProvider
let service: RunningService

/** A provider with a login page, and a service whose callback it knows. */
async function begin() {
  const folder = await mkdtemp(join(tmpdir(), 'concierge-login-'))
  const port = String(await freePort())
  provider = await startIdentityProvider({
    host: '127.0.0.1',
    port: 0,
    keysFile: join(folder, 'signing.json'),
    clientId: CLIENT_ID,
    audience: [PROJECT_ID],
    redirectUris: [`http://127.0.0.1:${port}/api/idp/callback`],
  })
  service = await startService({
    PORT: port,
    IDP_ISSUER: provider.issuer,
    IDP_AUDIENCE: PROJECT_ID,
  })
  return async () => {
    await service.stop()
    await provider.close()
    await rm(folder, { recursive: true })
  }
}

const login = (browser: Browser) =>
  browser.get(`${service.url}/api/idp/login?client_id=${CLIENT_ID}`)

/** Signs in and returns the address to which the browser is redirected. */
async function signInAt(browser: Browser, location: string) {
  const page = await browser.follow(await browser.get(location))
  const fields = { email: alan.email, password: DEVELOPMENT_PASSWORD }
  const done = await browser.follow(await browser.submit(page.url, fields))
  return new URL(done.headers.get('location')!)
}

async function signIn(browser: Browser) {
  return signInAt(browser, (await login(browser)).headers.get('location')!)
}

test.group('Development login', (group) => {
  group.setup(begin)

  test('starts with a redirect to the provider with PKCE', async ({ assert }) => {
    const response = await login(new Browser())
    assert.equal(response.status, 302)
    assert.equal(response.headers.get('cache-control'), 'no-store')
    const location = new URL(response.headers.get('location')!)
    const discovery = await fetch(`${provider.issuer}/.well-known/openid-configuration`)
    const { authorization_endpoint: endpoint } = (await discovery.json()) as Record<string, string>
    assert.equal(location.origin + location.pathname, endpoint)
    const parameters = Object.fromEntries(location.searchParams)
    assert.containSubset(parameters, {
      client_id: CLIENT_ID,
      redirect_uri: `${service.url}/api/idp/callback`,
      response_type: 'code',
      code_challenge_method: 'S256',
    })
    assert.match(parameters.code_challenge, /^[\w-]{43}$/)
    assert.isAtLeast(parameters.state.length, 32)
    assert.includeMembers(parameters.scope.split(' '), ['openid', 'profile', 'email'])
  })

  test('keeps state and verifier in an encrypted cookie', async ({ assert }) => {
    const response = await login(new Browser())
    const { searchParams } = new URL(response.headers.get('location')!)
    const [cookie, ...others] = response.headers.getSetCookie()
    assert.isEmpty(others)
    assert.match(cookie, /; ?HttpOnly/i)
    assert.match(cookie, /; ?SameSite=Lax/i)
    assert.match(cookie, /; ?Path=\/api\/idp/i)
    assert.match(cookie, /; ?Max-Age=600/i)
    const value = decodeURIComponent(cookie.split(';')[0])
    const decoded = value.replace(/[\w-]{20,}/g, (part) =>
      Buffer.from(part, 'base64url').toString()
    )
    for (const text of [value, decoded]) {
      assert.notInclude(text, searchParams.get('state')!)
      assert.notInclude(text, 'verifier')
    }
  })

  test('uses a new state and verifier every time', async ({ assert }) => {
    const [first, second] = [await login(new Browser()), await login(new Browser())]
    const parameter = (response: Response, name: string) =>
      new URL(response.headers.get('location')!).searchParams.get(name)
    assert.notEqual(parameter(first, 'state'), parameter(second, 'state'))
    assert.notEqual(parameter(first, 'code_challenge'), parameter(second, 'code_challenge'))
  })

  test('returns the tokens and the result of verifying them', async ({ assert }) => {
    const browser = new Browser()
    const callback = await signIn(browser)
    const response = await browser.get(callback.href)
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('cache-control'), 'no-store')
    const body = (await response.json()) as { success: boolean; data: Record<string, never> }
    assert.isTrue(body.success)
    assert.sameMembers(Object.keys(body.data), [
      'token_type',
      'access_token',
      'id_token',
      'id_token_claims',
      'access_token_claims',
      'userapi_verification',
    ])
    assert.containSubset(body.data, {
      token_type: 'Bearer',
      id_token_claims: { iss: provider.issuer, sub: alan.userId, email: alan.email },
      access_token_claims: { iss: provider.issuer, sub: alan.userId },
      userapi_verification: { valid: true, email: alan.email, error: null },
    })

    const headers = { authorization: `Bearer ${body.data.access_token}` }
    const profile = await fetch(`${service.url}/api/profile/me`, { headers })
    assert.equal(profile.status, 200)
    assert.containSubset(await profile.json(), {
      data: { email: alan.email, firstName: alan.givenName, lastName: alan.familyName },
    })
  })

  test('refuses a repeated callback', async ({ assert }) => {
    const browser = new Browser()
    const callback = await signIn(browser)
    await browser.get(callback.href)
    const again = await browser.get(callback.href)
    assert.equal(again.status, 400)
    assert.equal((await problemOf(assert, again)).code, 'LOGIN_FAILED')
  })

  test('is refused when {name}')
    .with([
      {
        name: 'the state is another one',
        change: (url: URL) => url.searchParams.set('state', 'x'),
      },
      { name: 'the state is missing', change: (url: URL) => url.searchParams.delete('state') },
      { name: 'the code is another one', change: (url: URL) => url.searchParams.set('code', 'x') },
      { name: 'the code is missing', change: (url: URL) => url.searchParams.delete('code') },
      {
        name: 'the provider says no',
        change: (url: URL) => url.searchParams.set('error', 'access_denied'),
      },
    ])
    .run(async ({ assert }, { change }) => {
      const browser = new Browser()
      const callback = await signIn(browser)
      change(callback)
      const response = await browser.get(callback.href)
      assert.equal(response.status, 400)
      assert.equal((await problemOf(assert, response)).code, 'LOGIN_FAILED')
    })

  test('is refused in a browser that did not start it, or started another one', async ({
    assert,
  }) => {
    const callback = await signIn(new Browser())
    const other = new Browser()
    await login(other)
    for (const browser of [new Browser(), other]) {
      const response = await browser.get(callback.href)
      assert.equal(response.status, 400)
      assert.equal((await problemOf(assert, response)).code, 'LOGIN_FAILED')
    }
  })

  test('is refused with a forged cookie', async ({ assert }) => {
    const callback = await signIn(new Browser())
    const state = callback.searchParams.get('state')!
    const forged = Buffer.from(JSON.stringify({ message: { clientId: CLIENT_ID, state } }))
    for (const value of [
      'x',
      'e:x',
      `e:${forged.toString('base64url')}`,
      forged.toString('base64url'),
    ]) {
      const headers = { cookie: `concierge_login=${encodeURIComponent(value)}` }
      const response = await fetch(callback, { headers })
      assert.equal(response.status, 400)
      assert.equal((await problemOf(assert, response)).code, 'LOGIN_FAILED')
    }
  })

  test('requires a client id', async ({ assert }) => {
    for (const query of ['', '?client_id=', '?client_id=a&client_id=b']) {
      const response = await fetch(`${service.url}/api/idp/login${query}`, { redirect: 'manual' })
      assert.equal(response.status, 400)
      const problem = await problemOf(assert, response)
      assert.equal(problem.code, 'VALIDATION_ERROR')
      assert.equal(problem.details.errors?.[0].field, 'client_id')
    }
  })

  test('responds 502 if the provider goes down in between', async ({ assert }) => {
    const browser = new Browser()
    const callback = await signIn(browser)
    await provider.close()
    const response = await browser.get(callback.href)
    assert.equal(response.status, 502)
    assert.equal((await problemOf(assert, response)).code, 'UPSTREAM_UNREACHABLE')
  })
})
