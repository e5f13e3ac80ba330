import { test } from '@japa/runner'
import { CooperativeQueue } from '#core/values/cooperative_queue'
import { burn, turnsDuring } from '#tests/helpers/event_loop'

test.group('A cooperative queue', () => {
  test('lets the event loop continue however much work is waiting', async ({ assert }) => {
    const turns = new CooperativeQueue()
    const pieces = 50
    const rounds = await turnsDuring(() =>
      Promise.all(Array.from({ length: pieces }, () => turns.run(() => burn(6))))
    )
    assert.isAtLeast(rounds, pieces - 2)
  })

  test('does waiting work in the order of its arrival, and many short pieces in a turn', async ({
    assert,
  }) => {
    const queue = new CooperativeQueue()
    const done: number[] = []
    const numbers = Array.from({ length: 1_000 }, (_, number) => number)
    const turns = await turnsDuring(async () => {
      const long = queue.run(() => burn(6))
      await Promise.all([long, ...numbers.map((number) => queue.run(() => done.push(number)))])
    })
    assert.deepEqual(done, numbers)
    assert.isBelow(turns, 100)
  })

  test('ends a turn after the given time', async ({ assert }) => {
    const queue = new CooperativeQueue(1)
    const pieces = 50
    const turns = await turnsDuring(() =>
      Promise.all(Array.from({ length: pieces }, () => queue.run(() => burn(2))))
    )
    assert.isAtLeast(turns, pieces - 2)
  })

  test('rejects when waiting work throws, and continues', async ({ assert }) => {
    const queue = new CooperativeQueue()
    void queue.run(() => burn(6))
    const broken = queue.run(() => {
      throw new Error('broken')
    })
    const next = queue.run(() => 'done')
    await assert.rejects(() => broken, 'broken')
    assert.equal(await next, 'done')
  })

  test('returns what the work returns or throws', async ({ assert }) => {
    const turns = new CooperativeQueue()
    assert.equal(await turns.run(() => 'done'), 'done')
    const broken = () => {
      throw new Error('broken')
    }
    await assert.rejects(() => turns.run(broken), 'broken')
  })

  test('does the work immediately while there is time', ({ assert }) => {
    const turns = new CooperativeQueue()
    let isDone = false
    void turns.run(() => (isDone = true))
    assert.isTrue(isDone)
  })
})
