import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import { DateTime } from 'luxon'
import db from '@adonisjs/lucid/services/db'
import { ConciergeUnreachable } from '@concierge/client'
import { changeSweeps } from '#core/changes/retention'
import { transaction } from '#core/database/transaction'
import { changeFeed } from '#app/change_feed/stream/change_feed'
import feedConfig from '#config/change_feed'
import { aShop } from '#tests/functional/checks/shop'
import { eventually } from '#tests/helpers/eventually'
import { aNearCache } from '#tests/helpers/near_caches'
import { serviceUrl } from '#tests/helpers/send'
import { TcpProxy } from '#tests/world/tcp_proxy'

const TIMING = { silenceMs: 300, minPauseMs: 10, maxPauseMs: 50 }

/** A near cache that reaches the service through a proxy, and remembers that a clerk can export. */
async function behindProxy(client: ApiClient, cleanup: (callback: () => void) => void) {
  const { app, email, shop, clerk } = await aShop(client)
  const proxy = await TcpProxy.inFrontOf(serviceUrl())
  cleanup(() => proxy.stop())
  const url = new URL(proxy.url).origin
  const limits = { timeoutMs: 500, retries: 2 }
  const near = await aNearCache(cleanup, { url, timing: TIMING, ...limits })
  const question = { email, app, permission: 'export' }
  await near.concierge.may(question)
  const isRemembered = async () => {
    const { hits } = near.statistics
    await near.concierge.may(question)
    return near.statistics.hits > hits
  }
  await eventually('it remembers', isRemembered)
  return { ...near, proxy, question, isRemembered, shop, email, clerk }
}

test.group('A near cache without its feed', (group) => {
  group.setup(() => {
    const { heartbeatMs } = feedConfig
    feedConfig.heartbeatMs = 50
    return () => {
      feedConfig.heartbeatMs = heartbeatMs
    }
  })
  group.each.teardown(async () => {
    await eventually('no stream is left', () => changeFeed.size === 0)
  })

  test('uses nothing while the service is out of reach', async ({ client, assert, cleanup }) => {
    const { concierge, statistics, proxy, question, isRemembered } = await behindProxy(
      client,
      cleanup
    )
    proxy.refuse()
    proxy.cut()
    await eventually('it notices', () => !statistics.isLive)
    await assert.rejects(() => concierge.may(question), ConciergeUnreachable)
    assert.equal(statistics.size, 1)
    await proxy.accept()
    await eventually('it is live', () => statistics.isLive)
    assert.isTrue(await isRemembered())
  })

  test('notices that the connection is silent, and opens another one', async ({
    client,
    assert,
    cleanup,
  }) => {
    const { concierge, statistics, proxy, question, shop, email } = await behindProxy(
      client,
      cleanup
    )
    proxy.stall()
    await shop.userRoles(email, [])
    await eventually('it notices', () => !statistics.isLive)
    assert.equal(statistics.size, 1)
    proxy.resume()
    await eventually('it is live', () => statistics.isLive)
    assert.isFalse(await concierge.may(question))
  })

  test('uses nothing after the machine was suspended, until the next heartbeat', async ({
    client,
    assert,
    cleanup,
  }) => {
    const { statistics, isRemembered } = await behindProxy(client, cleanup)
    const { now } = Date
    Date.now = () => now() + 60_000
    const isLive = statistics.isLive
    Date.now = now
    assert.isFalse(isLive)
    await eventually('it is live', () => statistics.isLive)
    assert.isTrue(await isRemembered())
  })

  test('learns what it missed before it uses anything', async ({ client, assert, cleanup }) => {
    const { concierge, statistics, proxy, question, shop, email, clerk } = await behindProxy(
      client,
      cleanup
    )
    for (let round = 0; round < 6; round++) {
      const roleIds = round % 2 === 0 ? [] : [clerk.id]
      // No new connection before it is looked whether the loss was noticed.
      proxy.refuse()
      if (round % 3 === 0) proxy.abandon()
      else proxy.cut()
      await shop.userRoles(email, roleIds)
      for (let change = 0; change < 15; change++) await shop.overrides(email, ['order', '9'], [])
      await eventually('it notices', () => !statistics.isLive)
      await proxy.accept()
      await eventually('it is live', () => statistics.isLive)
      assert.equal(await concierge.may(question), roleIds.length > 0)
      await concierge.may(question)
    }
  })

  test('forgets everything if what it missed is no longer known', async ({
    client,
    assert,
    cleanup,
  }) => {
    const { concierge, statistics, proxy, question, shop, email } = await behindProxy(
      client,
      cleanup
    )
    proxy.refuse()
    proxy.cut()
    await eventually('it notices', () => !statistics.isLive)
    await shop.userRoles(email, [])
    await db.from('access_changes').update({ at: DateTime.utc(2020).toSQL() })
    for (const sweep of changeSweeps) {
      await transaction((trx) => sweep.deleteExpired(DateTime.utc(), 100_000, trx))
    }
    assert.equal(statistics.size, 1)
    await proxy.accept()
    await eventually('it is live', () => statistics.isLive)
    assert.equal(statistics.size, 0)
    assert.isFalse(await concierge.may(question))
  })
})
