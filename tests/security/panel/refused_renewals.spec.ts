import { test } from '@japa/runner'
import { SESSION_COOKIE, SessionWorld } from '#tests/helpers/panel_sessions'
import { Browser } from '#tests/helpers/browser'
import { eventually } from '#tests/helpers/eventually'
import { uniqueEmail } from '#tests/helpers/people'

test.group('A provider that refuses the panel', (group) => {
  let world: SessionWorld
  let another: string
  let third: string

  group.setup(async () => {
    world = await SessionWorld.start()
    another = await world.startAnother()
    third = await world.startAnother()
    return () => world.end()
  })
  group.each.setup(() => () => {
    world.provider.recover()
    world.provider.statedLifetime = undefined
    world.provider.lifetime = 3_600
  })

  const challenge = { 'www-authenticate': 'Basic realm="provider"' }
  const refusals = [
    { title: 'invalid_client', status: 401, body: { error: 'invalid_client' } },
    { title: 'a challenge', status: 401, body: { error: 'invalid_client' }, headers: challenge },
    { title: 'unauthorized_client', status: 400, body: { error: 'unauthorized_client' } },
  ]

  for (const { title, ...refusal } of refusals) {
    test(`with ${title} ends no session`, async ({ assert }) => {
      const email = uniqueEmail()
      const { browser } = await world.signIn(email)
      await world.age(email, 40)
      world.provider.token = refusal
      const requests = () => world.provider.issuer.requests.filter(({ url }) => url === '/token')
      const before = requests().length
      assert.equal(await world.status(browser), 200)
      await eventually('it is refused', async () => {
        const [row] = await world.rowsOf(email)
        return requests().length > before && row?.refreshingUntil === null
      })
      assert.equal(await world.status(browser), 200, 'the access token is valid')
      await world.age(email, -1)
      assert.equal(await world.status(browser), 502)
      assert.equal(await world.status(browser), 502)
      assert.lengthOf(requests(), before + 1, 'it is not asked again immediately')
      assert.equal(await world.status(browser, another), 502)
      world.provider.recover()
      assert.equal(await world.status(browser, third), 200, 'a process with the right secret')
      assert.equal(await world.status(browser), 200)
    })

    test(`with ${title} fails the sign-in with a reason`, async ({ assert }) => {
      world.provider.token = refusal
      const { browser, response } = await world.signIn(uniqueEmail())
      assert.equal(response.status, 400)
      assert.include(await response.text(), 'refused the credentials of the panel')
      assert.isUndefined(browser.cookie(SESSION_COOKIE))
    })
  }

  test('with invalid_grant ends the session at the renewal', async ({ assert }) => {
    const email = uniqueEmail()
    const { browser } = await world.signIn(email)
    await world.age(email, -1)
    world.provider.token = { status: 400, body: { error: 'invalid_grant' } }
    assert.equal(await world.status(browser), 401)
    assert.isEmpty(await world.rowsOf(email))
  })

  test('fails the sign-in of an address that is not verified', async ({ assert }) => {
    const claims = { email_verified: false }
    const { browser, response } = await world.signIn(uniqueEmail(), { claims })
    assert.equal(response.status, 401)
    assert.include(await response.text(), 'is not verified')
    assert.isUndefined(browser.cookie(SESSION_COOKIE))
  })

  test('for a moment ends no session', async ({ assert }) => {
    const email = uniqueEmail()
    const { browser } = await world.signIn(email)
    await world.age(email, -1)
    world.provider.token = { status: 429, body: { error: 'slow_down' } }
    assert.equal(await world.status(browser), 502)
    assert.lengthOf(await world.rowsOf(email), 1)
  })

  test('renews a token that ends before it was said to', async ({ assert }) => {
    Object.assign(world.provider, { lifetime: 2, statedLifetime: 3_600 })
    const email = uniqueEmail()
    const { browser } = await world.signIn(email)
    const row = await world.rowsOf(email).firstOrFail()
    assert.isBelow(row.readTokens()!.expiresAt, Date.now() + 3_000)
    world.provider.lifetime = 3_600
    await world.age(email, -1)
    assert.equal(await world.status(browser), 200)
  })
})

test.group('A provider that cannot be used', (group) => {
  let world: SessionWorld

  group.each.setup(async () => {
    world = await SessionWorld.start()
    return () => world.end()
  })

  const login = () => new Browser().get(`${world.url}/panel/login`)

  test('fails the end of a sign-in with 502, and the next one works', async ({ assert }) => {
    world.provider.token = 'hangs'
    const email = uniqueEmail()
    const signingIn = world.signIn(email)
    await eventually('the code is being exchanged', () =>
      world.provider.issuer.requests.some(({ url }) => url === '/token')
    )
    world.provider.recover()
    const { response } = await signingIn
    assert.equal(response.status, 502)
    assert.include(await response.text(), 'cannot be reached')
    assert.equal((await world.signIn(email)).response.status, 302)
  })

  test('fails the start of a sign-in with 502 if it is not there', async ({ assert }) => {
    await world.provider.stop()
    const response = await login()
    assert.equal(response.status, 502)
    assert.include(await response.text(), 'cannot be reached')
  })

  test('fails the start of a sign-in if it describes another issuer', async ({ assert }) => {
    world.provider.issuer.endpoints = () => ({ issuer: 'https://another.example' })
    const response = await login()
    assert.equal(response.status, 400)
    assert.include(await response.text(), 'is invalid')
  })
})
