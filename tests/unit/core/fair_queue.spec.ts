import { test } from '@japa/runner'
import { FairQueue, type Owner } from '#core/values/fair_queue'
import { burn } from '#tests/helpers/event_loop'

function takeAll(queue: FairQueue<string>) {
  const items: string[] = []
  while (!queue.isEmpty) items.push(queue.take()!)
  return items
}

test.group('A fair queue', () => {
  test('keeps the order of one owner', ({ assert }) => {
    const queue = new FairQueue<string>()
    for (const item of ['1', '2', '3']) queue.add(item, {})
    assert.deepEqual(takeAll(queue), ['1', '2', '3'])
    assert.isTrue(queue.isEmpty)
  })

  test('alternates between groups, and between the members of a group', ({ assert }) => {
    const queue = new FairQueue<string>()
    const owners: [string, Owner][] = [
      ['a1', { group: 'a', member: '1' }],
      ['a1', { group: 'a', member: '1' }],
      ['a2', { group: 'a', member: '2' }],
      ['b1', { group: 'b', member: '1' }],
    ]
    for (const [item, owner] of owners) queue.add(item, owner)
    assert.deepEqual(takeAll(queue), ['a1', 'b1', 'a2', 'a1'])
  })

  test('prefers the group that used less, then the member who did', ({ assert }) => {
    const queue = new FairQueue<string>()
    queue.recordUse({ group: 'a', member: '1' }, 100)
    queue.recordUse({ group: 'a', member: '2' }, 50)
    queue.recordUse({ group: 'b', member: '3' }, 120)
    queue.add('b3', { group: 'b', member: '3' })
    queue.add('a1', { group: 'a', member: '1' })
    queue.add('a2', { group: 'a', member: '2' })
    assert.deepEqual(takeAll(queue), ['b3', 'a2', 'a1'])
  })

  test('leaves out groups that may not be served', ({ assert }) => {
    const queue = new FairQueue<string>()
    queue.add('a', { group: 'a' })
    queue.add('nobody', {})
    queue.add('b', { group: 'b' })
    assert.equal(
      queue.take((group) => group === undefined),
      'nobody'
    )
    assert.equal(
      queue.take((group) => group !== 'a'),
      'b'
    )
    assert.isUndefined(queue.take((group) => group !== 'a'))
    assert.deepEqual(takeAll(queue), ['a'])
  })

  test('no longer has an item that was removed', ({ assert }) => {
    const queue = new FairQueue<string>()
    for (const item of ['1', '2']) queue.add(item, { group: 'a' })
    queue.remove('1', { group: 'a' })
    assert.deepEqual(takeAll(queue), ['2'])
    queue.add('3', { group: 'a' })
    queue.remove('3', { group: 'a' })
    assert.isTrue(queue.isEmpty)
  })

  test('remembers use for as long as it is told to', ({ assert }) => {
    const [brief, long] = [new FairQueue<string>(0.001), new FairQueue<string>(60_000)]
    for (const queue of [brief, long]) {
      queue.recordUse({ group: 'busy' }, 1_000)
      queue.add('busy', { group: 'busy' })
      queue.add('quick', { group: 'quick' })
    }
    burn(5)
    assert.deepEqual(takeAll(brief), ['busy', 'quick'])
    assert.deepEqual(takeAll(long), ['quick', 'busy'])
  })
})
