import { test } from '@japa/runner'
import { SessionWorld } from '#tests/helpers/panel_sessions'
import { aSession } from '#tests/helpers/panel_world'
import { inPath } from '#tests/helpers/management'
import { superAdmin, uniqueEmail } from '#tests/helpers/people'
import { createProviderUser } from '#tests/helpers/provider_events'
import { randomInt } from 'node:crypto'
import PanelSession from '#app/auth/models/panel_session'
import User from '#app/profiles/models/user'

const anAccount = () => `1${randomInt(2 ** 47)}`

test.group('Sessions of an account whose address has changed', (group) => {
  let world: SessionWorld

  group.setup(async () => {
    world = await SessionWorld.start()
    return () => world.end()
  })
  group.each.setup(() => () => void (world.provider.renewedClaims = {}))

  /** Two browsers of an account. The session of the first has been renewed with a new address. */
  async function aRenamedAccount() {
    const [former, current, sub] = [uniqueEmail(), uniqueEmail(), anAccount()]
    const { browser: thief } = await world.signIn(former, { claims: { sub } })
    const { browser: owner } = await world.signIn(former, { claims: { sub } })
    world.provider.renewedClaims = { email: current, sub }
    await world.age(former, -1)
    return { former, current, sub, owner, thief }
  }

  test('are all listed and ended', async ({ assert }) => {
    const { current, owner, thief } = await aRenamedAccount()
    const listed = await world.call(owner, '/api/panel/sessions')
    const { data } = (await listed.json()) as { data: unknown[] }
    assert.lengthOf(data, 2)
    assert.lengthOf(await world.rowsOf(current), 1)
    const ended = await world.call(owner, '/api/panel/sessions', 'DELETE')
    assert.deepEqual(await ended.json(), { success: true, data: { ended: 2 } })
    assert.equal(await world.status(thief), 401)
  })

  test('continue when the provider reports the change', async ({ assert }) => {
    const [former, current, sub] = [uniqueEmail(), uniqueEmail(), anAccount()]
    await world.signIn(former, { claims: { sub } })
    // The service of these sessions has another issuer than the one that gets the events.
    await User.query().where({ email: former }).update({ idpIssuer: null })
    const account = createProviderUser(sub)
    await account.report('user.human.added', { email: former })
    await account.report('user.human.email.changed', { email: current })
    assert.isFalse((await User.withEmail(former)).active)
    assert.lengthOf(await world.rowsOf(former), 1)
  })

  test('end with the erasure of the user', async ({ assert, client }) => {
    const { current, sub, owner, thief } = await aRenamedAccount()
    assert.equal(await world.status(owner), 200)
    await User.query().where({ email: current }).update({ idpUserId: sub, identityVerified: true })
    const erased = await superAdmin(client).delete(`/api/users/${inPath(current)}`)
    erased.assertStatus(204)
    for (const browser of [owner, thief]) assert.equal(await world.status(browser), 401)
    assert.isEmpty(await PanelSession.query().where({ subject: sub }))
  })

  test('are not shown to the next holder of the address', async ({ assert, client }) => {
    const email = uniqueEmail()
    const foreign = await aSession(email)
    const sub = anAccount()
    const { browser } = await world.signIn(email, { claims: { sub } })
    const listed = await world.call(browser, '/api/panel/sessions')
    const { data } = (await listed.json()) as { data: { id: number }[] }
    assert.notInclude(
      data.map(({ id }) => id),
      foreign.id
    )
    const path = `/api/panel/sessions/${foreign.id}`
    assert.equal((await world.call(browser, path, 'DELETE')).status, 404)
    const exported = await superAdmin(client).get(`/api/users/${inPath(email)}/export`)
    const { panelSessions } = (exported.body() as { data: { panelSessions: { id: number }[] } })
      .data
    assert.deepEqual(
      panelSessions.map(({ id }) => id),
      data.map(({ id }) => id)
    )
    await foreign.delete()
  })

  test('of another account end at the renewal', async ({ assert }) => {
    const email = uniqueEmail()
    const { browser } = await world.signIn(email, { claims: { sub: anAccount() } })
    world.provider.renewedClaims = { sub: anAccount() }
    await world.age(email, -1)
    assert.equal(await world.status(browser), 401)
    assert.isEmpty(await world.rowsOf(email))
  })
})
