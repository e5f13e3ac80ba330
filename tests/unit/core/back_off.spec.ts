import { test } from '@japa/runner'
import { backOffMs } from '#core/values/back_off'

const pauses = (count: number, options: Parameters<typeof backOffMs>[1]) =>
  Array.from({ length: count }, (_, index) => backOffMs(index + 1, options))

test.group('Pauses between attempts', () => {
  test('double by default, up to the longest', ({ assert }) => {
    assert.deepEqual(pauses(5, { firstMs: 100, longestMs: 500 }), [100, 200, 400, 500, 500])
  })

  test('grow by another factor', ({ assert }) => {
    assert.deepEqual(pauses(3, { firstMs: 10, factor: 4 }), [10, 40, 160])
  })

  test('stay finite after any number of attempts', ({ assert }) => {
    assert.equal(backOffMs(100_000, { firstMs: 1, longestMs: 7 }), 7)
  })

  test('vary by the jitter', ({ assert }) => {
    for (const ms of Array.from({ length: 100 }, () => backOffMs(1, { firstMs: 100, jitter: 0.2 })))
      assert.isTrue(ms >= 80 && ms <= 120)
  })
})
