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

  test('rests after a piece that took long', async ({ assert }) => {
    const queue = new CooperativeQueue()
    const pieces = 4
    const turns = await turnsDuring(() =>
      Promise.all(Array.from({ length: pieces }, () => queue.run(() => burn(40))))
    )
    assert.isAbove(turns, 20 * pieces)
  })

  test('rests between the long pieces of different owners, too', async ({ assert }) => {
    const queue = new CooperativeQueue()
    const owners = [1, 2, 3, 4, 5]
    const rests = 2 * owners.length
    const turns = await turnsDuring(() =>
      Promise.all(
        [...owners, ...owners, ...owners].map((group) => queue.run(() => burn(40), { group }))
      )
    )
    assert.isAbove(turns, 20 * rests)
  })

  test('lets owners whose pieces are short go on while it rests', async ({ assert }) => {
    const queue = new CooperativeQueue(1)
    const done: string[] = []
    const long = () => {
      burn(200)
      done.push('long')
    }
    const working = [1, 2].map(() => queue.run(long, { group: 'long' }))
    for (let n = 0; n < 5; n++) await queue.run(() => done.push('short'), { group: 'short' })
    await Promise.all(working)
    assert.deepEqual(done, ['long', ...Array<string>(5).fill('short'), 'long'])
  })

  test('does the work of the owner who has used the least time first', async ({ assert }) => {
    const queue = new CooperativeQueue(1)
    const done: string[] = []
    const add = (owner: string, ms: number) =>
      queue.run(
        () => {
          burn(ms)
          done.push(owner)
        },
        { group: owner }
      )
    const busy = Array.from({ length: 20 }, () => add('busy', 5))
    const other = Promise.all([add('other', 2), add('other', 2)])
    await Promise.all([...busy, other])
    assert.deepEqual(done.slice(0, 3), ['busy', 'other', 'other'])
  })

  test('alternates between owners whose pieces are too short to count', async ({ assert }) => {
    const queue = new CooperativeQueue()
    const done: string[] = []
    void queue.run(() => burn(6), { group: 'first' })
    const add = (owner: string) => queue.run(() => done.push(owner), { group: owner })
    const many = Array.from({ length: 100 }, () => add('many'))
    await Promise.all([...many, add('few'), add('few')])
    assert.deepEqual(done.slice(0, 4), ['many', 'few', 'many', 'few'])
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
