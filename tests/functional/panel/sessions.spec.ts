import { text } from 'node:stream/consumers'
import { test } from '@japa/runner'
import { DateTime } from 'luxon'
import { RetentionSource } from '#core/retention/retention_source'
import PanelSession from '#app/auth/models/panel_session'
import { sessionSweeps } from '#app/auth/retention'
import User from '#app/profiles/models/user'
import ApplicationAdmin from '#app/permissions/models/application_admin'
import inboxConfig from '#config/inbox'
import { SUPER_ADMIN } from '#tests/world/prepare'
import { DEVELOPMENT_ACCOUNTS } from '#development/identity_provider/main'
import { Browser } from '#tests/helpers/browser'
import { anApplication, uniqueEmail } from '#tests/helpers/people'
import {
  type PanelWorld,
  aSession,
  fromPanel,
  signInAtProvider,
  signInToPanel,
  startPanelWorld,
} from '#tests/helpers/panel_world'

const COOKIE = '__Host-concierge-panel'
const [ada, grace, alan] = DEVELOPMENT_ACCOUNTS

interface Session {
  id: number
  current: boolean
  userAgent: string | null
}

test.group('Sessions of the panel', (group) => {
  let world: PanelWorld

  group.setup(async () => {
    world = await startPanelWorld({
      SUPER_ADMINS: `${SUPER_ADMIN},${ada.email}`,
      TRUSTED_PROXIES: '127.0.0.1',
    })
    return () => world.end()
  })
  group.each.setup(async () => {
    await PanelSession.query().delete()
  })

  const call = (browser: Browser, path: string, method = 'GET') =>
    browser.fetch(`${world.url}${path}`, fromPanel(world.url, method))
  const status = async (browser: Browser) => (await call(browser, '/api/panel/session')).status
  const rowOf = (email: string) =>
    PanelSession.query().where({ email }).orderBy('id', 'desc').firstOrFail()

  async function listed(browser: Browser) {
    const response = await call(browser, '/api/panel/sessions')
    return ((await response.json()) as { data: Session[] }).data
  }

  test('tell who is signed in and what they can administer', async ({ assert }) => {
    const { browser } = await signInToPanel(world.url, ada.email)
    const response = await call(browser, '/api/panel/session')
    const { data } = (await response.json()) as { data: Record<string, unknown> }
    assert.containSubset(data, {
      email: ada.email,
      firstName: 'Ada',
      theme: 'system',
      isSuperAdmin: true,
      isGlobalAdmin: true,
      mayReadUsers: true,
      session: { current: true },
    })
    assert.deepInclude(data.applications, { appCode: 'auth', level: 'edit', via: 'super_admin' })
  })

  test('tell the language of the user', async ({ assert }) => {
    const { browser } = await signInToPanel(world.url, ada.email)
    await User.query().where({ email: ada.email }).update({ locale: 'cs' })
    const response = await call(browser, '/api/panel/session')
    assert.containSubset(await response.json(), { data: { locale: 'cs' } })
  })

  test('tell what an administrator of one application can do', async ({ assert, cleanup }) => {
    const { browser } = await signInToPanel(world.url, grace.email)
    const { id: applicationId, code: appCode } = await anApplication()
    const rights = async () => {
      const response = await call(browser, '/api/panel/session')
      const { data } = (await response.json()) as { data: Record<string, unknown> }
      const { isSuperAdmin, isGlobalAdmin, mayReadUsers, applications } = data
      return { isSuperAdmin, isGlobalAdmin, mayReadUsers, applications }
    }
    const nothing = { isSuperAdmin: false, isGlobalAdmin: false, mayReadUsers: false }
    assert.deepEqual(await rights(), { ...nothing, applications: [] })
    const row = await ApplicationAdmin.create({ applicationId, email: grace.email })
    cleanup(() => row.delete())
    const applications = [{ appCode, level: 'edit', via: 'application_admin' }]
    assert.deepEqual(await rights(), { ...nothing, mayReadUsers: true, applications })
  })

  test('can be listed and ended one by one, by their owner only', async ({ assert }) => {
    const { browser: first } = await signInToPanel(world.url, ada.email)
    const { browser: second } = await signInToPanel(world.url, ada.email)
    const { browser: stranger } = await signInToPanel(world.url, alan.email)
    const sessions = await listed(second)
    assert.deepEqual(
      sessions.map(({ current }) => current),
      [true, false]
    )
    const [, { id }] = sessions
    assert.equal((await call(stranger, `/api/panel/sessions/${id}`, 'DELETE')).status, 404)
    assert.equal(await status(first), 200)
    assert.equal((await call(second, `/api/panel/sessions/${id}`, 'DELETE')).status, 200)
    assert.equal(await status(first), 401)
    assert.equal(await status(second), 200)
    assert.equal(await status(stranger), 200)
  })

  test('end the streams of the inbox that were opened with them', async ({ assert }) => {
    const { browser: first } = await signInToPanel(world.url, ada.email)
    const { browser: second } = await signInToPanel(world.url, ada.email)
    const { browser: stranger } = await signInToPanel(world.url, alan.email)
    const follow = async (browser: Browser) => {
      const response = await call(browser, '/api/profile/me/notifications/inbox/stream')
      assert.equal(response.status, 200)
      // Not awaited before it ends.
      return { story: text(response.body as never) }
    }
    const streams = await Promise.all([first, second, stranger].map(follow))
    const [, { id }] = await listed(second)
    const startedAt = performance.now()
    assert.equal((await call(second, `/api/panel/sessions/${id}`, 'DELETE')).status, 200)
    assert.include(await streams[0].story, 'signed_out')
    await call(second, '/panel/logout', 'POST')
    assert.include(await streams[1].story, 'signed_out')
    assert.isBelow(performance.now() - startedAt, 3 * inboxConfig.sessionCheckMs)
    await call(stranger, '/api/panel/sessions', 'DELETE')
    assert.include(await streams[2].story, 'signed_out')
  })

  test('can all be ended at once', async ({ assert }) => {
    const { browser: first } = await signInToPanel(world.url, ada.email)
    const { browser: second } = await signInToPanel(world.url, ada.email)
    const ended = await call(second, '/api/panel/sessions', 'DELETE')
    assert.deepEqual(await ended.json(), { success: true, data: { ended: 2 } })
    assert.isUndefined(second.cookie(COOKIE))
    assert.equal(await status(first), 401)
  })

  for (const [title, change] of [
    ['an hour without use', { lastSeenAt: DateTime.utc().minus({ minutes: 61 }) }],
    ['twelve hours', { expiresAt: DateTime.utc().minus({ seconds: 1 }) }],
  ] as const) {
    test(`end after ${title}`, async ({ assert }) => {
      const { browser } = await signInToPanel(world.url, ada.email)
      await (await rowOf(ada.email)).merge(change).save()
      assert.equal(await status(browser), 401)
      assert.isEmpty(
        await listed((await signInToPanel(world.url, alan.email)).browser).then((all) =>
          all.filter(({ current }) => !current)
        )
      )
    })
  }

  test('remember when they were last used, to the minute', async ({ assert }) => {
    const { browser } = await signInToPanel(world.url, ada.email)
    const before = DateTime.utc().minus({ minutes: 5 })
    await (await rowOf(ada.email)).merge({ lastSeenAt: before }).save()
    await status(browser)
    const { lastSeenAt } = await rowOf(ada.email)
    assert.isAbove(lastSeenAt.toMillis(), before.toMillis())
    await status(browser)
    assert.equal((await rowOf(ada.email)).lastSeenAt.toMillis(), lastSeenAt.toMillis())
  })

  test('store a shortened user agent and address', async ({ assert }) => {
    const browser = new Browser()
    const begun = await browser.get(`${world.url}/panel/login`)
    const callback = await signInAtProvider(browser, begun.headers.get('location')!, ada.email)
    const address = `fe80::1%${'z'.repeat(100)}`
    const headers = { 'user-agent': 'x'.repeat(600), 'x-forwarded-for': address }
    assert.equal((await browser.fetch(callback, { headers })).status, 302)
    const row = await rowOf(ada.email)
    assert.isAtMost(row.userAgent!.length, 512)
    assert.equal(row.address, address.slice(0, 64))
  })

  test('are removed from the database after twelve hours', async ({ assert }) => {
    const [expired, current] = [await aSession(uniqueEmail()), await aSession(uniqueEmail())]
    await expired.merge({ expiresAt: DateTime.utc().minus({ seconds: 1 }) }).save()
    const source = new RetentionSource(sessionSweeps)
    while (await source.work(new AbortController().signal));
    assert.isNull(await PanelSession.find(expired.id))
    assert.isNotNull(await PanelSession.find(current.id))
  })

  test('of one user are at most fifty', async ({ assert }) => {
    const { browser } = await signInToPanel(world.url, grace.email)
    const { $attributes: row } = await rowOf(grace.email)
    const copies = Array.from({ length: 60 }, (_, index) => ({
      ...row,
      id: undefined,
      secretHash: String(index).padStart(43, 'x'),
    }))
    await PanelSession.createMany(copies)
    await signInToPanel(world.url, grace.email)
    const [{ $extras }] = await PanelSession.query()
      .where({ email: grace.email })
      .count('* as total')
    assert.equal(Number($extras.total), 50)
    assert.equal(await status(browser), 401)
  })
})

test.group('Tokens of a session', (group) => {
  let world: PanelWorld

  group.setup(async () => {
    world = await startPanelWorld()
    return () => world.end()
  })

  async function ageTokens(email: string, secondsLeft: number, change = {}) {
    const row = await PanelSession.query().where({ email }).orderBy('id', 'desc').firstOrFail()
    const expiresAt = Date.now() + secondsLeft * 1_000
    const tokens = { ...row.readTokens()!, expiresAt, ...change }
    await row.merge({ tokens: PanelSession.encrypt(tokens) }).save()
    return { row, tokens }
  }
  const status = async (url: string, browser: Browser) =>
    (await browser.fetch(`${url}/api/panel/session`, fromPanel(world.url))).status

  test('are replaced once, however many requests two processes get', async ({ assert }) => {
    const another = await world.startAnother()
    const { browser } = await signInToPanel(world.url, ada.email)
    const { row, tokens } = await ageTokens(ada.email, -1)
    const statuses = await Promise.all(
      Array.from({ length: 20 }, (_, index) => status(index % 2 ? world.url : another.url, browser))
    )
    assert.deepEqual(new Set(statuses), new Set([200]))
    await row.refresh()
    assert.equal(row.version, 2)
    const fresh = row.readTokens()!
    assert.isAbove(fresh.expiresAt, Date.now() + 60_000)
    assert.notEqual(fresh.accessToken, tokens.accessToken)
  })

  test('end the session when the provider has ended the grant', async ({ assert }) => {
    const { browser } = await signInToPanel(world.url, ada.email)
    const { row } = await ageTokens(ada.email, -1, { refreshToken: 'withdrawn' })
    assert.equal(await status(world.url, browser), 401)
    assert.isNull(await PanelSession.find(row.id))
  })

  test('without a refresh token are used until they expire', async ({ assert }) => {
    const { browser } = await signInToPanel(world.url, grace.email)
    await ageTokens(grace.email, 30, { refreshToken: null })
    assert.equal(await status(world.url, browser), 200)
    await ageTokens(grace.email, -1, { refreshToken: null })
    assert.equal(await status(world.url, browser), 401)
  })

  test('that cannot be decrypted end the session', async ({ assert }) => {
    const { browser } = await signInToPanel(world.url, grace.email)
    const row = await PanelSession.query().orderBy('id', 'desc').firstOrFail()
    await row.merge({ tokens: 'encrypted with a lost key' }).save()
    assert.equal(await status(world.url, browser), 401)
  })

  test('are used until they expire while the provider is down', async ({ assert }) => {
    const { browser } = await signInToPanel(world.url, ada.email)
    await ageTokens(ada.email, 30)
    await world.stopProvider()
    assert.equal(await status(world.url, browser), 200)
    await ageTokens(ada.email, -1)
    assert.equal(await status(world.url, browser), 502)
    const signedOut = await browser.fetch(`${world.url}/panel/logout`, fromPanel(world.url, 'POST'))
    assert.deepEqual(await signedOut.json(), { endSessionUrl: null })
  })
})
