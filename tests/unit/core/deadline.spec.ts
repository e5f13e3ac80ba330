import { test } from '@japa/runner'
import { Deadline } from '#core/values/deadline'

test.group('A deadline', () => {
  test('leaves no wait within the time that is reserved for the work', ({ assert }) => {
    const early = new Deadline(40_000, 30_000)
    assert.closeTo(early.waitMs, 10_000, 100)
    assert.closeTo(early.remainingMs, 40_000, 100)
    const late = new Deadline(29_999, 30_000)
    assert.equal(late.waitMs, 0)
    assert.closeTo(late.withoutReserve.waitMs, 29_999, 100)
  })
})
