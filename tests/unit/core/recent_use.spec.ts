import { test } from '@japa/runner'
import { RecentUse } from '#core/values/recent_use'

test.group('Recent use', () => {
  test('adds up, and counts half after each second', ({ assert }) => {
    const uses = new RecentUse()
    uses.add('a', 100, 0)
    uses.add('a', 50, 1_000)
    assert.equal(uses.of('a', 1_000), 100)
    assert.equal(uses.of('a', 3_000), 25)
    assert.equal(uses.of('b', 0), 0)
  })

  test('forgets those who used the least lately', ({ assert }) => {
    const uses = new RecentUse()
    uses.add('short', 0.5, 0)
    uses.add('first', 1_000, 0)
    for (let caller = 0; caller < 1_000; caller++) uses.add(caller, 10, 0)
    assert.equal(uses.of('short', 0), 0)
    assert.equal(uses.of('first', 0), 0)
    assert.equal(uses.of(0, 0), 10)
  })
})
