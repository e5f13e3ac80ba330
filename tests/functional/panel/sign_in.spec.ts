import { test } from '@japa/runner'
import PanelSession from '#app/auth/models/panel_session'
import { DEVELOPMENT_ACCOUNTS } from '#development/identity_provider/main'
import { Browser } from '#tests/helpers/browser'
import {
  type PanelWorld,
  fromPanel,
  signInAtProvider,
  signInToPanel,
  startPanelWorld,
} from '#tests/helpers/panel_world'
import { problemOf } from '#tests/helpers/send'

const COOKIE = '__Host-concierge-panel'
const [ada, grace] = DEVELOPMENT_ACCOUNTS

test.group('Signing in to the panel', (group) => {
  let world: PanelWorld

  group.setup(async () => {
    world = await startPanelWorld()
    return () => world.end()
  })

  const session = (browser: Browser) =>
    browser.fetch(`${world.url}/api/panel/session`, fromPanel(world.url))

  test('starts a session and returns to the page', async ({ assert }) => {
    const returnTo = '/panel/apps/crm/roles?search=a%20b#x'
    const { browser, response } = await signInToPanel(world.url, ada.email, { returnTo })
    assert.equal(response.status, 302)
    assert.equal(response.headers.get('location'), returnTo)
    const cookie = response.headers.getSetCookie().find((line) => line.startsWith(COOKIE))!
    for (const attribute of ['HttpOnly', 'Secure', 'SameSite=Strict', 'Path=/', 'Max-Age=43200']) {
      assert.match(cookie, new RegExp(`; ${attribute}(;|$)`, 'i'))
    }
    assert.notMatch(cookie, /; Domain=/i)
    const current = await session(browser)
    assert.equal(current.status, 200)
    const { data } = (await current.json()) as { data: Record<string, unknown> }
    assert.equal(data.email, ada.email)
    assert.containSubset(data.session, { current: true })
  })

  test('starts with a request for a code, with PKCE, state and nonce', async ({ assert }) => {
    const response = await new Browser().get(`${world.url}/panel/login`)
    assert.equal(response.status, 302)
    const { searchParams } = new URL(response.headers.get('location')!)
    assert.containSubset(Object.fromEntries(searchParams), {
      client_id: 'concierge-panel',
      redirect_uri: `${world.url}/panel/callback`,
      response_type: 'code',
      code_challenge_method: 'S256',
    })
    for (const name of ['state', 'nonce', 'code_challenge']) {
      assert.match(searchParams.get(name)!, /^[\w-]{43}$/)
    }
    const [cookie] = response.headers.getSetCookie()
    for (const attribute of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Max-Age=600']) {
      assert.match(cookie, new RegExp(`; ${attribute}(;|$)`, 'i'))
    }
    assert.match(cookie, /; Path=\/panel\/callback(;|$)/)
    assert.notInclude(cookie, searchParams.get('state')!)
  })

  test('replaces the session of the browser, and ignores a planted one', async ({ assert }) => {
    const { browser } = await signInToPanel(world.url, ada.email)
    const former = browser.cookie(COOKIE)!
    await signInToPanel(world.url, ada.email, { browser })
    assert.notEqual(browser.cookie(COOKIE), former)
    const old = new Browser()
    old.setCookie(COOKIE, former)
    assert.equal((await session(old)).status, 401)

    const planted = 'p'.repeat(43)
    const victim = new Browser()
    victim.setCookie(COOKIE, planted)
    await signInToPanel(world.url, grace.email, { browser: victim })
    assert.notEqual(victim.cookie(COOKIE), planted)
  })

  test('works in two tabs at the same time', async ({ assert }) => {
    const browser = new Browser()
    const begun = [
      await browser.get(`${world.url}/panel/login?return_to=/panel/one`),
      await browser.get(`${world.url}/panel/login?return_to=/panel/two`),
    ].map((response) => response.headers.get('location')!)
    const first = await browser.get(await signInAtProvider(browser, begun[0], ada.email))
    assert.equal(first.headers.get('location'), '/panel/one')
    const second = await browser.follow(await browser.get(begun[1]))
    const finished = await browser.get(second.headers.get('location')!)
    assert.equal(finished.headers.get('location'), '/panel/two')
  })

  for (const returnTo of [
    'https://evil.example/panel',
    '//evil.example/panel',
    '/\\evil.example/panel',
    '/panel/../api/profile/me',
    '/panelist',
    '/docs',
    'javascript:alert(1)//panel',
    `/panel/${'x'.repeat(2_000)}`,
  ]) {
    test(`returns to the start page instead of ${returnTo.slice(0, 40)}`, async ({ assert }) => {
      const { response } = await signInToPanel(world.url, ada.email, { returnTo })
      assert.equal(response.headers.get('location'), '/panel')
    })
  }

  test('keeps only a hash of the secret, and encrypted tokens', async ({ assert }) => {
    const { browser } = await signInToPanel(world.url, grace.email)
    const row = await PanelSession.query()
      .where({ email: grace.email })
      .orderBy('id', 'desc')
      .firstOrFail()
    const stored = JSON.stringify(row.$attributes)
    assert.notInclude(stored, browser.cookie(COOKIE)!)
    const { accessToken, refreshToken, idToken } = row.readTokens()!
    for (const token of [accessToken, refreshToken!, idToken]) assert.notInclude(stored, token)
    const text = await (await session(browser)).text()
    assert.notInclude(text, accessToken)
  })

  test('fails without the cookie that was set at its start, which works once', async ({
    assert,
  }) => {
    const browser = new Browser()
    const begun = await browser.get(`${world.url}/panel/login?return_to=/panel/apps`)
    const callback = await signInAtProvider(browser, begun.headers.get('location')!, ada.email)
    const stranger = await new Browser().get(callback)
    assert.equal(stranger.status, 400)
    assert.isEmpty(stranger.headers.getSetCookie())
    const page = await stranger.text()
    assert.include(page, 'was not started in this browser')
    assert.include(page, 'href="/panel/login?return_to=%2Fpanel"')

    assert.equal((await browser.get(callback)).status, 302)
    assert.equal((await browser.get(callback)).status, 400)
  })

  for (const [title, change, status] of [
    ['another state', (query: URLSearchParams) => query.set('state', 'x'.repeat(43)), 400],
    ['another code', (query: URLSearchParams) => query.set('code', 'x'.repeat(43)), 400],
    ['another issuer', (query: URLSearchParams) => query.set('iss', 'https://evil.example'), 400],
    ['a refusal', (query: URLSearchParams) => query.set('error', 'access_denied'), 400],
  ] as const) {
    test(`fails with ${title}`, async ({ assert }) => {
      const browser = new Browser()
      const begun = await browser.get(`${world.url}/panel/login`)
      const location = await signInAtProvider(browser, begun.headers.get('location')!, ada.email)
      const callback = new URL(location)
      change(callback.searchParams)
      const response = await browser.get(callback.href)
      assert.equal(response.status, status)
      assert.match(response.headers.get('content-type')!, /^text\/html/)
      assert.isUndefined(browser.cookie(COOKIE))
    })
  }

  const NONCE = 'x'.repeat(22)
  const tryOut = async (change = (_: URLSearchParams) => {}, email = ada.email) => {
    const browser = new Browser()
    const begun = await browser.get(`${world.url}/panel/login?test=${NONCE}&return_to=/panel/apps`)
    const location = begun.headers.get('location')!
    const callback = new URL(await signInAtProvider(browser, location, email))
    change(callback.searchParams)
    const response = await browser.get(callback.href)
    return { browser, location: new URL(location), response }
  }

  test('can be tested, which starts no session', async ({ assert }) => {
    const before = await PanelSession.query().where({ email: ada.email })
    const { browser, location, response } = await tryOut()
    assert.equal(location.searchParams.get('prompt'), 'login')
    assert.equal(response.status, 302)
    const outcome = '/panel/provider/guide/sign-in?outcome='
    assert.equal(response.headers.get('location'), `${outcome}works&test=${NONCE}`)
    assert.isUndefined(browser.cookie(COOKIE))
    assert.lengthOf(await PanelSession.query().where({ email: ada.email }), before.length)

    const denied = await tryOut((query) => query.set('error', 'access_denied'))
    assert.equal(denied.response.headers.get('location'), `${outcome}denied&test=${NONCE}`)
    const code = await tryOut((query) => query.set('code', 'x'.repeat(43)))
    assert.equal(code.response.headers.get('location'), `${outcome}code_refused&test=${NONCE}`)
    const forged = await tryOut((query) => query.set('iss', 'https://evil.example'))
    assert.equal(
      forged.response.headers.get('location'),
      `${outcome}invalid_response&test=${NONCE}`
    )
  })

  test("does not take another user's code", async ({ assert }) => {
    const [victim, attacker] = [new Browser(), new Browser()]
    const begun = await attacker.get(`${world.url}/panel/login`)
    const location = await signInAtProvider(attacker, begun.headers.get('location')!, grace.email)
    const own = await victim.get(`${world.url}/panel/login`)
    const state = new URL(own.headers.get('location')!).searchParams.get('state')!
    const forged = new URL(location)
    forged.searchParams.set('state', state)
    assert.equal((await victim.get(forged.href)).status, 400)
    assert.isUndefined(victim.cookie(COOKIE))
  })

  test('ends with a sign-out here and at the provider', async ({ assert }) => {
    const { browser } = await signInToPanel(world.url, ada.email)
    const secret = browser.cookie(COOKIE)!
    const response = await browser.fetch(`${world.url}/panel/logout`, fromPanel(world.url, 'POST'))
    assert.equal(response.status, 200)
    const { endSessionUrl } = (await response.json()) as { endSessionUrl: string }
    const target = new URL(endSessionUrl)
    assert.equal(target.origin, world.provider.issuer)
    assert.equal(target.searchParams.get('post_logout_redirect_uri'), `${world.url}/panel`)
    assert.isUndefined(browser.cookie(COOKIE))
    const old = new Browser()
    old.setCookie(COOKIE, secret)
    const refused = await session(old)
    assert.equal(refused.status, 401)
    assert.equal((await problemOf(assert, refused)).code, 'UNAUTHENTICATED')
  })

  test('sends the headers of pages', async ({ assert }) => {
    for (const path of ['/panel/login', '/panel/callback']) {
      const { headers } = await new Browser().get(`${world.url}${path}`)
      assert.include(headers.get('content-security-policy')!, "frame-ancestors 'none'")
      assert.equal(headers.get('x-frame-options'), 'DENY')
      assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin')
      assert.equal(headers.get('referrer-policy'), 'no-referrer')
      assert.equal(headers.get('cache-control'), 'no-store')
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
    }
  })
})
