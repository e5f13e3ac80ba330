import { test } from '@japa/runner'
import { SESSION_COOKIE, SessionWorld } from '#tests/helpers/panel_sessions'
import { uniqueEmail } from '#tests/helpers/people'

test.group('A provider that refuses the panel', (group) => {
  let world: SessionWorld

  group.setup(async () => {
    world = await SessionWorld.start()
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
    test(`with ${title} ends the session at the renewal`, async ({ assert }) => {
      const email = uniqueEmail()
      const { browser } = await world.signIn(email)
      await world.age(email, -1)
      world.provider.token = refusal
      assert.equal(await world.status(browser), 401)
      assert.isEmpty(await world.rowsOf(email))
    })

    test(`with ${title} fails the sign-in with a reason`, async ({ assert }) => {
      world.provider.token = refusal
      const { browser, response } = await world.signIn(uniqueEmail())
      assert.equal(response.status, 400)
      assert.include(await response.text(), 'refused the credentials of the panel')
      assert.isUndefined(browser.cookie(SESSION_COOKIE))
    })
  }

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
