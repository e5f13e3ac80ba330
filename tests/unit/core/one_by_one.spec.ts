import { setImmediate as nextTurn } from 'node:timers/promises'
import { test } from '@japa/runner'
import { OneByOne } from '#core/values/one_by_one'

test.group('Work that is done one by one', () => {
  test('never overlaps for a key, and keeps its order', async ({ assert }) => {
    const turns = new OneByOne()
    let running = 0
    const order: number[] = []
    const work = async (number: number) => {
      running++
      await nextTurn()
      assert.equal(running, 1)
      running--
      order.push(number)
      return number
    }
    const results = await Promise.all([1, 2, 3].map((each) => turns.run('a', () => work(each))))
    assert.deepEqual(
      [results, order],
      [
        [1, 2, 3],
        [1, 2, 3],
      ]
    )
  })

  test('does not wait for work of other keys', async ({ assert }) => {
    const turns = new OneByOne()
    let end = () => {}
    const endless = turns.run('a', () => new Promise<void>((resolve) => (end = resolve)))
    assert.equal(await turns.run('b', () => 2), 2)
    end()
    await endless
  })

  test('goes on after a failure', async ({ assert }) => {
    const turns = new OneByOne()
    const failed = turns.run('a', () => Promise.reject(new Error('no')))
    const next = turns.run('a', () => 2)
    await assert.rejects(() => failed, 'no')
    assert.equal(await next, 2)
  })
})
