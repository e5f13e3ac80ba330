import { test } from '@japa/runner'
import { DEVELOPMENT_ACCOUNTS } from '#development/identity_provider/main'
import { Browser } from '#tests/helpers/browser'
import { INTERNAL_KEY } from '#tests/world/prepare'
import {
  type PanelWorld,
  fromPanel,
  signInToPanel,
  startPanelWorld,
} from '#tests/helpers/panel_world'
import { problemOf } from '#tests/helpers/send'

const COOKIE = '__Host-concierge-panel'
const [ada] = DEVELOPMENT_ACCOUNTS

test.group('Requests with the cookie of the panel', (group) => {
  let world: PanelWorld
  let browser: Browser

  group.setup(async () => {
    world = await startPanelWorld({ CHECK_ON_PUBLIC_PORT: 'true' })
    browser = (await signInToPanel(world.url, ada.email)).browser
    return () => world.end()
  })

  const send = (path: string, method: string, headers: Record<string, string>, body?: string) =>
    browser.fetch(`${world.url}${path}`, { method, headers, body })
  const own = () => ({
    'x-concierge-panel': '1',
    'sec-fetch-site': 'same-origin',
    'origin': world.url,
    'content-type': 'application/json',
  })

  test('of the panel itself are served', async ({ assert }) => {
    assert.equal((await send('/api/profile/me', 'GET', { 'x-concierge-panel': '1' })).status, 200)
    const changed = await send('/api/profile/me', 'PUT', own(), '{"theme":"dark"}')
    assert.equal(changed.status, 200)
  })

  for (const [title, change] of [
    ['without the header', { 'x-concierge-panel': '' }],
    ['with another value of the header', { 'x-concierge-panel': 'true' }],
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
    ['from another origin of the site', { 'sec-fetch-site': 'same-site' }],
    ['typed into the address bar', { 'sec-fetch-site': 'none' }],
    ['with another Origin', { origin: 'https://evil.example' }],
    ['with the Origin of a sandboxed page', { origin: 'null' }],
    ['without Origin', { origin: '' }],
  ] as const) {
    test(`${title} change nothing`, async ({ assert }) => {
      const headers = Object.fromEntries(
        Object.entries({ ...own(), ...change }).filter(([, value]) => value !== '')
      )
      const response = await send('/api/profile/me', 'PUT', headers, '{"theme":"light"}')
      assert.equal(response.status, 403)
      assert.equal((await problemOf(assert, response)).code, 'CROSS_SITE')
      const read = await send('/api/profile/me', 'GET', { 'x-concierge-panel': '1' })
      assert.equal(((await read.json()) as { data: { theme: string } }).data.theme, 'dark')
    })
  }

  test('cannot read without the header', async ({ assert }) => {
    const response = await send('/api/profile/me', 'GET', {})
    assert.equal(response.status, 403)
    assert.isNull(response.headers.get('access-control-allow-credentials'))
  })

  test('sign out only from the panel', async ({ assert }) => {
    const forged = { 'origin': 'https://evil.example', 'x-concierge-panel': '1' }
    const response = await send('/panel/logout', 'POST', forged)
    assert.equal(response.status, 403)
    assert.equal((await send('/api/panel/session', 'GET', own())).status, 200)
  })

  test('with a bearer token use the token alone', async ({ assert }) => {
    const authorization = 'Bearer a.b.c'
    const response = await send('/api/profile/me', 'GET', { ...own(), authorization })
    assert.equal(response.status, 401)
  })

  test('do not count as an internal key', async ({ assert }) => {
    const path = '/api/internal/notifications/types?appCode=auth'
    assert.equal((await send(path, 'GET', own())).status, 401)
    const withKey = { ...own(), 'x-internal-api-key': INTERNAL_KEY }
    assert.notEqual((await send(path, 'GET', withKey)).status, 401)
  })

  test('with a made-up cookie are nobody', async ({ assert }) => {
    for (const secret of ['x'.repeat(43), 'x', '', "' or 1=1 --", 'x'.repeat(4_000)]) {
      const other = new Browser()
      other.setCookie(COOKIE, secret)
      const response = await other.fetch(`${world.url}/api/panel/session`, fromPanel(world.url))
      assert.equal(response.status, 401)
    }
  })
})
