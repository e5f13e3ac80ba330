import { test } from '@japa/runner'
import { LaterParts } from '#core/background/later_parts'

test.group('Later parts of a long queue', () => {
  test('follow one after another, and begin again at the end', ({ assert }) => {
    const parts = new LaterParts<string>(100)
    const seen: number[] = []
    for (const isLast of [false, false, true, false]) {
      seen.push(parts.offset('busy'))
      parts.moveOn('busy', isLast)
    }
    assert.deepEqual(seen, [100, 200, 300, 100])
    assert.equal(parts.offset('other'), 100)
  })
})
