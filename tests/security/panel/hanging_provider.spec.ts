import { test } from '@japa/runner'
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { DateTime } from 'luxon'
import PanelSession from '#app/auth/models/panel_session'
import { freshTokens } from '#app/auth/session/refresh_tokens'
import { type Browser } from '#tests/helpers/browser'
import { recordStatements } from '#tests/helpers/count_statements'
import { eventually } from '#tests/helpers/eventually'
import { SessionWorld, endPause } from '#tests/helpers/panel_sessions'
import { aSession } from '#tests/helpers/panel_world'
import { uniqueEmail } from '#tests/helpers/people'
import { RawConnection } from '#tests/world/raw_connection'
import { rawRequest } from '#tests/helpers/raw_requests'

/** A response that is waited for. */
const aClient = () => Object.assign(new EventEmitter(), { closed: false }) as ServerResponse

test.group('Many requests of a session that is being renewed', () => {
  async function aSessionInRenewal() {
    const session = await aSession(uniqueEmail())
    const until = DateTime.utc().plus({ seconds: 15 })
    return session.merge({ refreshingUntil: until, version: 1 }).save()
  }

  test('wait together', async ({ assert }) => {
    const session = await aSessionInRenewal()
    const fresh = {
      ...session.readTokens()!,
      accessToken: 'new',
      expiresAt: Date.now() + 3_600_000,
    }
    const statements = await recordStatements(async () => {
      const waiting = Array.from({ length: 100 }, () => freshTokens(session, aClient()))
      const renewed = { version: 2, tokens: PanelSession.encrypt(fresh), refreshingUntil: null }
      await PanelSession.query().where({ id: session.id }).update(renewed)
      for (const { accessToken } of await Promise.all(waiting)) assert.equal(accessToken, 'new')
    })
    const about = statements.filter((text) => text.includes('panel_sessions'))
    assert.isBelow(about.length, 10)
  })

  test('stop waiting when their client is gone', async ({ assert }) => {
    const session = await aSessionInRenewal()
    const clients = Array.from({ length: 10 }, aClient)
    const waiting = clients.map((client) => freshTokens(session, client))
    for (const client of clients) client.emit('close')
    const settled = await Promise.allSettled(waiting)
    assert.isTrue(settled.every(({ status }) => status === 'rejected'))
    const { refreshingUntil } = await PanelSession.findOrFail(session.id)
    assert.isAbove(refreshingUntil!.toMillis(), Date.now())
    await session.delete()
  })

  test('leave no failure behind when their client has left before', async ({ assert, cleanup }) => {
    const failures: unknown[] = []
    const note = (failure: unknown) => failures.push(failure)
    process.on('unhandledRejection', note)
    cleanup(() => void process.off('unhandledRejection', note))
    const [first, next] = [await aSessionInRenewal(), await aSessionInRenewal()]
    // Their renewals fail, in this order.
    await PanelSession.query().whereIn('id', [first.id, next.id]).delete()
    const left = Object.assign(aClient(), { closed: true })
    await assert.rejects(() => freshTokens(first, left))
    await assert.rejects(() => freshTokens(next, aClient()))
    await nextTurn()
    assert.isEmpty(failures)
  })
})

test.group('While the provider hangs', (group) => {
  let world: SessionWorld
  let another: string

  group.setup(async () => {
    world = await SessionWorld.start()
    another = await world.startAnother()
    return () => world.end()
  })
  group.each.setup(() => () => world.provider.recover())

  test('a valid token never waits', async ({ assert }) => {
    const email = uniqueEmail()
    const { browser } = await world.signIn(email)
    const { id } = await world.age(email, 30)
    world.provider.token = 'hangs'
    for (const url of [world.url, another, world.url]) {
      assert.equal(await world.status(browser, url), 200)
    }
    const { refreshingUntil } = await eventually('the renewal has begun', async () => {
      const row = await PanelSession.findOrFail(id)
      return row.refreshingUntil !== null && row
    })
    assert.isAbove(refreshingUntil!.toMillis(), Date.now())
  })

  test('a failed renewal is not repeated by each request', async ({ assert }) => {
    const email = uniqueEmail()
    const { browser } = await world.signIn(email)
    const row = await world.age(email, -1)
    world.provider.token = { status: 500, body: {} }
    const before = world.provider.issuer.requests.length
    for (let index = 0; index < 10; index++) {
      assert.equal(await world.status(browser, index % 2 ? world.url : another), 502)
    }
    const asked = world.provider.issuer.requests.slice(before)
    assert.lengthOf(
      asked.filter(({ url }) => url === '/token'),
      1
    )
    world.provider.recover()
    await endPause(row)
    assert.equal(await world.status(browser), 200)
  })

  test('one session does not hold up other users', async ({ assert }) => {
    const [nobody, other] = [uniqueEmail(), uniqueEmail()]
    const { browser } = await world.signIn(nobody)
    const { browser: witness } = await world.signIn(other)
    await world.age(nobody, -1)
    world.provider.token = 'hangs'
    const cookie = `__Host-concierge-panel=${browser.cookie('__Host-concierge-panel')}`
    const request = rawRequest('GET', '/api/panel/session', { 'x-concierge-panel': '1', cookie })
    const held: RawConnection[] = []
    for (let index = 0; index < 200; index++) {
      const connection = await RawConnection.to(world.url)
      connection.write(request)
      if (index % 2) connection.destroy()
      else held.push(connection)
    }
    const answers = await Promise.all(Array.from({ length: 5 }, () => world.status(witness)))
    assert.deepEqual(new Set(answers), new Set([200]))
    const { refreshingUntil, renewalPausedUntil } = await world.rowsOf(nobody).firstOrFail()
    // On a busy machine, the renewal has already run out of time.
    assert.isNotNull(refreshingUntil ?? renewalPausedUntil)
    for (const connection of held) connection.destroy()
  })

  test('all sessions end at once', async ({ assert }) => {
    const email = uniqueEmail()
    const browsers: Browser[] = []
    for (let index = 0; index < 12; index++) browsers.push((await world.signIn(email)).browser)
    world.provider.revocation = 'hangs'
    const ending = world.call(browsers[0], '/api/panel/sessions', 'DELETE')
    await eventually('a token is being revoked', () =>
      world.provider.issuer.requests.some(({ url }) => url === '/revoke')
    )
    for (const browser of browsers.slice(1)) assert.equal(await world.status(browser), 401)
    world.provider.recover()
    assert.deepEqual(await (await ending).json(), { success: true, data: { ended: 12 } })
  })
})
