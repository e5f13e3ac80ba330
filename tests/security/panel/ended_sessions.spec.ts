import { test } from '@japa/runner'
import { authenticate } from '#app/auth/authenticate'
import { isStillAuthorized } from '#app/auth/panel/is_still_authorized'
import User from '#app/profiles/models/user'
import PanelSession from '#app/auth/models/panel_session'
import { Browser } from '#tests/helpers/browser'
import { eventually } from '#tests/helpers/eventually'
import { inPath } from '#tests/helpers/management'
import { SESSION_COOKIE, SessionWorld } from '#tests/helpers/panel_sessions'
import { superAdmin, uniqueEmail } from '#tests/helpers/people'
import { aSession } from '#tests/helpers/panel_world'
import { createProviderUser } from '#tests/helpers/provider_events'
import { SUPER_ADMIN, issuer } from '#tests/world/prepare'
import { AUDIENCE, subjectOf } from '#tests/world/issuer'
import { PANEL_CLIENT } from '#tests/world/panel_provider'

const BOSS = 'boss-of-sessions@tests.example'

test.group('A session that has ended', (group) => {
  let world: SessionWorld

  group.setup(async () => {
    world = await SessionWorld.start({
      LOG_LEVEL: 'warn',
      SUPER_ADMINS: `${SUPER_ADMIN},${BOSS}`,
    })
    return () => world.end()
  })
  group.each.setup(() => () => {
    world.provider.recover()
    world.provider.renewedIdClaims = {}
  })

  const refreshTokenOf = async (email: string) =>
    (await world.rowsOf(email).firstOrFail()).readTokens()!.refreshToken!
  const revoked = (token: string) =>
    eventually('the token is revoked', () => world.provider.revoked.includes(token))
  const setActive = (client: Parameters<typeof superAdmin>[0], email: string, active: boolean) =>
    superAdmin(client).put(`/api/users/${inPath(email)}/active`, { active })

  test('leaves no usable token in the address of the sign-out', async ({ assert }) => {
    const email = uniqueEmail()
    const { browser } = await world.signIn(email)
    // As the access token's, and without the claims of ID tokens.
    world.provider.renewedIdClaims = { aud: [AUDIENCE, PANEL_CLIENT], azp: PANEL_CLIENT }
    await world.age(email, -1)
    assert.equal(await world.status(browser), 200)
    const response = await world.call(browser, '/panel/logout', 'POST')
    const { endSessionUrl } = (await response.json()) as { endSessionUrl: string }
    const hint = new URL(endSessionUrl).searchParams.get('id_token_hint')!
    const used = await fetch(`${world.url}/api/profile/me`, {
      headers: { authorization: `Bearer ${hint}` },
    })
    assert.equal(used.status, 401)
  })

  for (const [title, claims] of Object.entries({
    'an address that is not verified': { email_verified: false },
    'an account that is not that of the address': { sub: 'another-account' },
    'tokens of another client': { azp: 'another-client' },
  })) {
    test(`is revoked when the sign-in fails with ${title}`, async ({ assert }) => {
      const email = uniqueEmail()
      await world.signIn(email)
      const { response } = await world.signIn(email, { claims })
      assert.include([400, 401, 403], response.status)
      await revoked(world.provider.issued.at(-1)!)
    })
  }

  test('is revoked when another one replaces it', async ({ assert }) => {
    const email = uniqueEmail()
    const { browser } = await world.signIn(email)
    const former = await refreshTokenOf(email)
    await world.signIn(email, { browser })
    await revoked(former)
    assert.lengthOf(await world.rowsOf(email), 1)
  })

  test('is revoked with the erasure of its user', async ({ assert }) => {
    const email = uniqueEmail()
    await world.signIn(email)
    const token = await refreshTokenOf(email)
    const { browser } = await world.signIn(BOSS)
    const erased = await world.call(browser, `/api/users/${inPath(email)}`, 'DELETE')
    assert.equal(erased.status, 204)
    await revoked(token)
    assert.isEmpty(await world.rowsOf(email))
  })

  test('does not keep the tokens of a renewal that ends later', async ({ assert }) => {
    const email = uniqueEmail()
    const { browser } = await world.signIn(email)
    const row = await world.age(email, 30)
    world.provider.token = 'waits'
    const asked = () => world.provider.issuer.requests.filter(({ url }) => url === '/token').length
    const before = asked()
    assert.equal(await world.status(browser), 200)
    await eventually('the renewal has begun', () => asked() > before)
    await world.call(browser, '/panel/logout', 'POST')
    assert.isNull(await PanelSession.find(row.id))
    await world.provider.release()
    await revoked(world.provider.issued.at(-1)!)
  })

  test('does not return with a reactivation', async ({ assert, client }) => {
    const email = uniqueEmail()
    const { browser } = await world.signIn(email)
    assert.equal(await world.status(browser), 200)
    ;(await setActive(client, email, false)).assertStatus(200)
    ;(await setActive(client, email, true)).assertStatus(200)
    assert.equal(await world.status(browser), 401)
  })

  test('does not return with a reactivation at the provider', async ({ assert }) => {
    const email = uniqueEmail()
    const { browser } = await world.signIn(email)
    assert.equal(await world.status(browser), 200)
    const account = createProviderUser(subjectOf(email))
    for (const type of ['user.deactivated', 'user.reactivated']) await account.report(type)
    assert.isTrue((await User.withEmail(email)).active)
    assert.equal(await world.status(browser), 401)
  })

  test('is not followed by one of an inactive user', async ({ assert, client }) => {
    const email = uniqueEmail()
    await world.signIn(email)
    ;(await setActive(client, email, false)).assertStatus(200)
    const { browser, response } = await world.signIn(email)
    assert.equal(response.status, 403)
    assert.isUndefined(browser.cookie(SESSION_COOKIE))
    assert.isEmpty(await world.rowsOf(email))
  })

  test('is logged, and so is nothing that did not end', async ({ assert }) => {
    const email = uniqueEmail()
    const { browser } = await world.signIn(email)
    const { browser: other } = await world.signIn(email)
    assert.equal((await world.call(browser, '/panel/logout', 'POST')).status, 200)
    await world.call(other, '/api/panel/sessions/999999999', 'DELETE')
    await eventually('the sign-out is logged', () =>
      world.service.output().includes('A user signed out of the admin panel')
    )
    assert.notInclude(world.service.output(), 'Sessions of the admin panel were ended')
  })

  test('ends what is followed with it', async ({ assert }) => {
    const session = await aSession(SUPER_ADMIN)
    const caller = await authenticate(`Bearer ${await issuer.token(SUPER_ADMIN)}`)
    const withSession = { ...caller, sessionId: session.id }
    assert.isTrue(await isStillAuthorized(withSession, 'view', 'auth'))
    await session.delete()
    assert.isFalse(await isStillAuthorized(withSession, 'view', 'auth'))
    assert.isTrue(await isStillAuthorized(caller, 'view', 'auth'))
  })
})

test.group('Sessions that start at the same time', (group) => {
  let world: SessionWorld
  let another: string

  group.setup(async () => {
    world = await SessionWorld.start()
    another = await world.startAnother()
    return () => world.end()
  })

  const complete = (browser: Browser, callback: string, index: number) => {
    const { pathname, search } = new URL(callback)
    return browser.get(`${index % 2 ? world.url : another}${pathname}${search}`)
  }

  test('are at most fifty', async ({ assert }) => {
    const email = uniqueEmail()
    await world.signIn(email)
    const { $attributes: row } = await world.rowsOf(email).firstOrFail()
    const copies = Array.from({ length: 48 }, (_, index) => ({
      ...row,
      id: undefined,
      browserHash: null,
      secretHash: `${index}-${email}`.padEnd(43, 'x').slice(0, 43),
    }))
    await PanelSession.createMany(copies)
    const begun = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const browser = new Browser()
        return { browser, callback: await world.begin(browser, email) }
      })
    )
    const responses = await Promise.all(
      begun.map(({ browser, callback }, index) => complete(browser, callback, index))
    )
    assert.isTrue(responses.every(({ status }) => status === 302))
    assert.lengthOf(await world.rowsOf(email), 50)
  })

  test('in the tabs of one browser leave one', async ({ assert }) => {
    const email = uniqueEmail()
    const { browser } = await world.signIn(email)
    const callbacks: string[] = []
    for (let index = 0; index < 8; index++) callbacks.push(await world.begin(browser, email))
    await Promise.all(callbacks.map((callback, index) => complete(browser, callback, index)))
    assert.lengthOf(await world.rowsOf(email), 1)
  })

  test('as an erasure leave no session without a user', async ({ assert, client }) => {
    for (let round = 0; round < 8; round++) {
      const email = uniqueEmail()
      await world.signIn(email)
      const browser = new Browser()
      const callback = await world.begin(browser, email)
      await Promise.all([
        complete(browser, callback, round),
        superAdmin(client).delete(`/api/users/${inPath(email)}`),
      ])
      const hasSession = (await world.rowsOf(email)).length > 0
      const profile = await superAdmin(client).get(`/api/users/${inPath(email)}`)
      assert.isTrue(!hasSession || profile.status() === 200)
    }
  })
})
