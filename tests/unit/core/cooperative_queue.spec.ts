import { test } from '@japa/runner'
import { CooperativeQueue } from '#core/values/cooperative_queue'

function work(ms: number) {
  const end = performance.now() + ms
  while (performance.now() < end);
}

test.group('A cooperative queue', () => {
  test('lets the event loop continue however much work is waiting', async ({ assert }) => {
    const turns = new CooperativeQueue()
    let rounds = 0
    let isOver = false
    const count = () => {
      rounds++
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    const pieces = 50
    await Promise.all(Array.from({ length: pieces }, () => turns.run(() => work(6))))
    isOver = true
    assert.isAtLeast(rounds, pieces - 2)
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
