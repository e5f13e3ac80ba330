import { test } from '@japa/runner'
import { Browser } from '#tests/helpers/browser'
import { SESSION_COOKIE, SessionWorld } from '#tests/helpers/panel_sessions'
import { uniqueEmail } from '#tests/helpers/people'

const LIMIT = 5

test.group('A sign-in that someone else has begun', (group) => {
  let world: SessionWorld
  let another: string

  group.setup(async () => {
    world = await SessionWorld.start()
    another = await world.startAnother()
    return () => world.end()
  })

  /** What a sibling domain can set: any cookie without the prefix `__Host-`. */
  function plant(attacker: Browser, victim: Browser) {
    for (const name of attacker.names()) {
      if (!name.startsWith('__Host-')) victim.setCookie(name, attacker.cookie(name)!)
    }
  }

  test('cannot be completed in the browser of the victim', async ({ assert }) => {
    for (const hasVisited of [false, true]) {
      const [attacker, victim] = [new Browser(), new Browser()]
      if (hasVisited) await victim.get(`${world.url}/panel/login`)
      const callback = await world.begin(attacker, uniqueEmail())
      plant(attacker, victim)
      const response = await victim.get(callback)
      assert.equal(response.status, 400)
      assert.include(await response.text(), 'was not started in this browser')
      assert.isUndefined(victim.cookie(SESSION_COOKIE))
    }
  })

  test('works once, whichever process completes it', async ({ assert }) => {
    const browser = new Browser()
    const callback = await world.begin(browser, uniqueEmail())
    const copies = [new Browser(), new Browser(), new Browser(), new Browser()]
    for (const copy of copies) {
      for (const name of browser.names()) copy.setCookie(name, browser.cookie(name)!)
    }
    const { pathname, search, searchParams } = new URL(callback)
    const before = world.provider.exchanged.length
    const responses = await Promise.all(
      copies.map((copy, index) =>
        copy.get(`${index % 2 ? world.url : another}${pathname}${search}`)
      )
    )
    assert.deepEqual(responses.map(({ status }) => status).sort(), [302, 400, 400, 400])
    assert.lengthOf(world.provider.exchanged.slice(before), 1)
    assert.include(world.provider.exchanged, searchParams.get('code')!)
  })

  test('cannot be completed after ten minutes', async ({ assert }) => {
    const browser = new Browser()
    const callback = await world.begin(browser, uniqueEmail())
    const late = await world.startAnother({
      NODE_OPTIONS: `${process.env.NODE_OPTIONS} --import=./tests/world/clock_ahead.ts`,
      CLOCK_AHEAD_MS: String(601_000),
    })
    const { pathname, search } = new URL(callback)
    const response = await browser.get(`${late}${pathname}${search}`)
    assert.equal(response.status, 400)
    assert.include(await response.text(), 'took too long')
  })

  test('does not fill the cookies with long return addresses', async ({ assert }) => {
    for (const returnTo of ['/panel/' + '漢'.repeat(80), '/panel/' + 'x'.repeat(250)]) {
      const begun = await new Browser().get(
        `${world.url}/panel/login?return_to=${encodeURIComponent(returnTo)}`
      )
      const [cookie] = begun.headers.getSetCookie()
      assert.isBelow(cookie.length, 800)
    }
    const browser = new Browser()
    for (let index = 0; index < 10; index++) {
      const returnTo = `/panel/${'y'.repeat(230)}${index}`
      await browser.get(`${world.url}/panel/login?return_to=${returnTo}`)
    }
    const { response } = await world.signIn(uniqueEmail(), { browser })
    assert.equal(response.status, 302)
  })
})

test.group('Guessing', (group) => {
  let world: SessionWorld

  group.setup(async () => {
    world = await SessionWorld.start({
      RATE_LIMIT_FAILED_AUTH: String(LIMIT),
      TRUSTED_PROXIES: '127.0.0.1',
    })
    return () => world.end()
  })

  const from = (address: string, cookie: string): RequestInit => ({
    headers: { 'x-forwarded-for': address, 'x-concierge-panel': '1', cookie },
  })

  test('codes is throttled, and asks the provider once for each sign-in', async ({ assert }) => {
    const address = '192.0.2.10'
    const statuses: number[] = []
    const before = world.provider.exchanged.length
    for (let index = 0; index < LIMIT + 3; index++) {
      const browser = new Browser()
      const callback = new URL(await world.begin(browser, uniqueEmail()))
      callback.searchParams.set('code', `junk-${index}`)
      const init = { headers: { 'x-forwarded-for': address } }
      statuses.push((await browser.fetch(callback.href, init)).status)
    }
    assert.deepEqual(statuses, [...Array<number>(LIMIT).fill(400), 429, 429, 429])
    assert.lengthOf(world.provider.exchanged.slice(before), LIMIT)
  })

  test('secrets of sessions is throttled, but a stale one is not', async ({ assert }) => {
    const url = `${world.url}/api/panel/session`
    const cookieOf = (character: string) => `${SESSION_COOKIE}=${character.repeat(43)}`
    for (let index = 0; index < LIMIT * 3; index++) {
      assert.equal((await fetch(url, from('192.0.2.11', cookieOf('s')))).status, 401)
    }
    const statuses: number[] = []
    for (const character of 'abcdefgh') {
      statuses.push((await fetch(url, from('192.0.2.12', cookieOf(character)))).status)
    }
    assert.deepEqual(statuses, [...Array<number>(LIMIT).fill(401), 429, 429, 429])
  })
})
