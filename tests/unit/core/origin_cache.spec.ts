import { test } from '@japa/runner'
import { OriginCache } from '#core/http/origin_cache'

const SHOP = 'https://shop.example'

/** Origins and a clock that the test sets. */
function stored() {
  const world = { now: 0, origins: [SHOP], asked: 0, load: async () => world.origins }
  const known = new OriginCache(
    () => {
      world.asked++
      return world.load()
    },
    () => world.now
  )
  return { world, known }
}

test.group('Stored origins', () => {
  test('are loaded once before the first requests', async ({ assert }) => {
    const { world, known } = stored()
    assert.isFalse(known.has(SHOP))
    await Promise.all(Array.from({ length: 100 }, () => known.loadIfStale()))
    assert.isTrue(known.has(SHOP))
    assert.isUndefined(known.loadIfStale())
    assert.equal(world.asked, 1)
  })

  test('are reloaded in the background after 15 seconds, and before a request after 28', async ({
    assert,
  }) => {
    const { world, known } = stored()
    await known.loadIfStale()
    world.origins = []
    world.now = 14_999
    assert.isUndefined(known.loadIfStale())
    assert.equal(world.asked, 1)
    world.now = 15_000
    assert.isUndefined(known.loadIfStale())
    assert.equal(world.asked, 2)
    await Promise.resolve()

    world.now += 28_000
    await known.loadIfStale()
    assert.isFalse(known.has(SHOP))
  })

  test('are dropped when the cache is cleared, together with a pending load', async ({
    assert,
  }) => {
    const { world, known } = stored()
    const { promise, resolve } = Promise.withResolvers<string[]>()
    world.load = () => promise
    const slow = known.loadIfStale()
    known.clear()
    world.load = async () => []
    await known.loadIfStale()
    resolve([SHOP])
    await slow
    assert.isFalse(known.has(SHOP))
    assert.equal(world.asked, 2)
  })

  test('stay cached while loading fails, and are retried once a second', async ({ assert }) => {
    const { world, known } = stored()
    await known.loadIfStale()
    world.load = () => Promise.reject(new Error('away'))
    world.now = 60_000
    await known.loadIfStale()
    assert.isTrue(known.has(SHOP))
    assert.isUndefined(known.loadIfStale())
    assert.equal(world.asked, 2)
    world.now = 61_000
    await known.loadIfStale()
    assert.equal(world.asked, 3)
  })
})
