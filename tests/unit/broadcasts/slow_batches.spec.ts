import { setImmediate as nextTurn } from 'node:timers/promises'
import { test } from '@japa/runner'
import { SlowBatches } from '#app/broadcasts/background/slow_batches'
import broadcastsConfig from '#config/broadcasts'

const broadcastOf = (application: number) => ({ id: application, application })

test.group('Slow batches', (group) => {
  group.setup(() => {
    const { slow } = broadcastsConfig
    broadcastsConfig.slow = { afterMs: 5, batches: 2, characters: 100 }
    return () => void (broadcastsConfig.slow = slow)
  })

  /** A batch with so many characters, which the test ends. */
  function follow(slow: SlowBatches, application: number, characters: number) {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const state = { isFollowed: false, end: resolve, fail: reject }
    const following = slow.follow(broadcastOf(application), (onPrepared) => {
      onPrepared(characters)
      return promise
    })
    const done = following.then(() => void (state.isFollowed = true))
    return Object.assign(state, { done })
  }

  test('continue while others start, until there are too many', async ({ assert }) => {
    const slow = new SlowBatches()
    const one = follow(slow, 1, 10)
    await one.done
    assert.isTrue(slow.has(broadcastOf(1)))
    assert.isFalse(slow.has(broadcastOf(2)))
    assert.isFalse(slow.isFull)
    const two = follow(slow, 2, 10)
    await two.done
    assert.isTrue(slow.isFull)
    one.end()
    two.fail(new Error('The database is unavailable'))
    await slow.finish()
    assert.isFalse(slow.isFull)
    assert.isFalse(slow.has(broadcastOf(1)) || slow.has(broadcastOf(2)))
  })

  test('are waited for if their messages take too much memory', async ({ assert }) => {
    const slow = new SlowBatches()
    const small = follow(slow, 1, 40)
    await small.done
    const [large, fitting] = [follow(slow, 2, 61), follow(slow, 3, 60)]
    await fitting.done
    await nextTurn()
    assert.isFalse(large.isFollowed)
    assert.isFalse(slow.has(broadcastOf(2)))
    for (const batch of [large, fitting, small]) batch.end()
    await Promise.all([large.done, slow.finish()])
  })

  test('report their errors if they fail before that', async ({ assert }) => {
    const slow = new SlowBatches()
    const failing = follow(slow, 1, 10)
    failing.fail(new Error('The content cannot be read'))
    await assert.rejects(() => failing.done, 'The content cannot be read')
    assert.isFalse(slow.has(broadcastOf(1)))
  })
})
