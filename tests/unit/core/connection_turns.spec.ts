import { setImmediate as nextTurn } from 'node:timers/promises'
import { test } from '@japa/runner'
import type { ConnectionContract } from '@adonisjs/lucid/types/database'
import { ConnectionTurns } from '#core/database/connection_turns'
import { shareConnections } from '#core/database/share_connections'
import { SERVICE } from '#core/http/current_caller'
import { burn } from '#tests/helpers/event_loop'

const POOL = {
  capacity: 4,
  timeoutMs: 60_000,
  isSynchronous: false,
  patienceMs: { service: 60_000, others: 60_000 },
}

/** Blocks the process. */
function spend(ms: number) {
  for (const end = performance.now() + ms; performance.now() < end;) continue
}

const ignore = () => {}

/** Takes turns, and lists who was served. */
function aPool(options: Partial<typeof POOL> = {}) {
  const turns = new ConnectionTurns({ ...POOL, ...options })
  const served: unknown[] = []
  const ask = (caller: unknown, count = 1) => {
    for (let one = 0; one < count; one++) {
      // Those who still wait at the end of a test time out later.
      turns.take(caller).then(() => served.push(caller), ignore)
    }
  }
  return { turns, served, ask }
}

test.group('Connections of the database', () => {
  test('are left to others by one caller who could use all of them', async ({ assert }) => {
    const { turns, served, ask } = aPool()
    ask('many', 50)
    ask('one')
    await nextTurn()
    assert.deepEqual(served, ['many', 'many', 'many', 'one'])
    assert.equal(turns.waiting, 47)
  })

  test('go to a check and to somebody else in turn', async ({ assert }) => {
    const { turns, served, ask } = aPool()
    ask('check server', 20)
    ask('one', 5)
    await nextTurn()
    assert.deepEqual(served, ['check server', 'check server', 'check server', 'one'])
    served.length = 0
    for (const caller of ['check server', 'one', 'check server', 'one', 'check server']) {
      turns.leave(caller, 100)
      await nextTurn()
    }
    assert.deepEqual(served, ['check server', 'one', 'check server', 'one', 'check server'])
  })

  test('are not all for checks, whoever makes them', async ({ assert }) => {
    const { turns, served, ask } = aPool()
    for (let id = 0; id < 20; id++) ask(`check user ${id}`)
    ask('one')
    await nextTurn()
    assert.deepEqual(served, ['check user 0', 'check user 1', 'check user 2', 'one'])
    turns.leave('one', 100)
    await nextTurn()
    assert.lengthOf(served, 4, 'one connection stays free')
  })

  test('go to those who hold the fewest, then to those who were served longest ago', async ({
    assert,
  }) => {
    const { turns, served, ask } = aPool()
    ask('a', 3)
    ask('b', 1)
    await nextTurn()
    served.length = 0
    ask('a', 2)
    ask('b', 2)
    ask('c', 2)
    for (const caller of ['a', 'b', 'a', 'c', 'a', 'b']) {
      turns.leave(caller)
      await nextTurn()
    }
    assert.deepEqual(served, ['c', 'b', 'a', 'c', 'b', 'a'])
  })

  test('go to those who have used them for a shorter time first', async ({ assert }) => {
    const { turns, served, ask } = aPool({ capacity: 1 })
    ask('slow', 3)
    ask('quick', 3)
    for (const usedMs of [100, 1, 1, 1, 100]) {
      await nextTurn()
      turns.leave(served.at(-1), usedMs)
    }
    await nextTurn()
    assert.deepEqual(served, ['slow', 'quick', 'quick', 'quick', 'slow', 'slow'])
  })

  test('go to someone who was not served for long before many others', async ({ assert }) => {
    const patienceMs = { service: 1_000, others: 0 }
    const { turns, served, ask } = aPool({ capacity: 1, patienceMs })
    ask('busy')
    await nextTurn()
    turns.leave('busy', 5)
    ask('first')
    ask('busy')
    await nextTurn()
    burn(20)
    for (let number = 0; number < 5; number++) ask(`new ${number}`)
    turns.leave('first', 1)
    await nextTurn()
    assert.deepEqual(served, ['busy', 'first', 'busy'])
  })

  test('go last to someone who has used them for longer than they wait', async ({ assert }) => {
    const patienceMs = { service: 1_000, others: 0 }
    const { turns, served, ask } = aPool({ capacity: 1, patienceMs })
    ask('busy')
    await nextTurn()
    turns.leave('busy', 5_000)
    ask('first')
    ask('busy')
    await nextTurn()
    burn(20)
    ask('new')
    turns.leave('first', 1)
    await nextTurn()
    assert.deepEqual(served, ['busy', 'first', 'new'])
  })

  test('go to background work that has waited for long', async ({ assert }) => {
    const patienceMs = { service: 0, others: 1_000 }
    const { turns, served, ask } = aPool({ capacity: 1, patienceMs })
    ask(SERVICE)
    await nextTurn()
    turns.leave(SERVICE, 100)
    ask('first')
    ask(SERVICE, 2)
    await nextTurn()
    ask('other')
    turns.leave('first', 1)
    await nextTurn()
    turns.leave(SERVICE, 1)
    await nextTurn()
    assert.deepEqual(served, [SERVICE, 'first', SERVICE, SERVICE])
  })

  test('can all be used by the service itself', async ({ assert }) => {
    const { served, ask } = aPool()
    ask(SERVICE, 5)
    await nextTurn()
    assert.lengthOf(served, 4)
  })

  test('are refused to those who wait too long, and nobody else', async ({ assert }) => {
    const { turns, served, ask } = aPool({ timeoutMs: 1 })
    ask('a', 3)
    await assert.rejects(() => turns.take('a'), /Timeout acquiring a connection/)
    assert.equal(turns.waiting, 0)
    turns.leave('a')
    ask('a')
    await nextTurn()
    assert.lengthOf(served, 4)
  })

  test('that block the process let it do something else in between', async ({ assert }) => {
    const { turns, served, ask } = aPool({ capacity: 1, isSynchronous: true })
    const block = async (caller: unknown) => {
      await turns.take(caller)
      spend(10)
      turns.leave(caller)
    }
    const blocking = Array.from({ length: 3 }, () => block('many'))
    ask('one')
    await nextTurn()
    await nextTurn()
    assert.deepEqual(served, ['one'], 'before the second of the others')
    turns.leave('one')
    await Promise.all(blocking)
  })

  test('block the process as long as everything else did', async ({ assert }) => {
    const { turns, ask } = aPool({ capacity: 1, isSynchronous: true })
    ask('first')
    turns.leave('first')
    spend(40)
    await nextTurn()
    let hasEnded = false
    setImmediate(() => (hasEnded = true))
    for (const caller of ['one', 'other']) {
      await turns.take(caller)
      spend(6)
      turns.leave(caller)
    }
    assert.isFalse(hasEnded)
  })

  test('that block the process are left to others for a moment after a long use', async ({
    assert,
  }) => {
    const { turns, served, ask } = aPool({ capacity: 1, isSynchronous: true })
    ask('light')
    await nextTurn()
    turns.leave('light', 1)
    const heavy = [turns.take('heavy'), turns.take('heavy')]
    await heavy[0]
    const endedAt = performance.now()
    turns.leave('heavy', 600)
    for (let statement = 0; statement < 5; statement++) {
      await nextTurn()
      ask('light')
      await nextTurn()
      // Its own pause does not shorten that of the other.
      turns.leave('light', statement === 0 ? 25 : 1)
    }
    assert.deepEqual(served, Array(6).fill('light'))
    await heavy[1]
    assert.isAtLeast(performance.now() - endedAt, 3 * 600)
  })

  test('that block the process need no pause for one caller alone', async ({ assert }) => {
    const { turns, served, ask } = aPool({ capacity: 1, isSynchronous: true })
    ask('one', 3)
    for (let use = 0; use < 3; use++) {
      await nextTurn()
      await nextTurn()
      turns.leave('one', 200)
    }
    assert.lengthOf(served, 3)
  })

  test('are passed on after they were held for many turns', async ({ assert }) => {
    const { turns, served, ask } = aPool({ capacity: 1, isSynchronous: true })
    ask('one')
    await nextTurn()
    await nextTurn()
    spend(60)
    ask('other')
    turns.leave('one')
    await nextTurn()
    await nextTurn()
    assert.deepEqual(served, ['one', 'other'])
  })

  test('are waited for only once, and released if they come too late', async ({ assert }) => {
    const connections: PromiseWithResolvers<object>[] = []
    const released: object[] = []
    const client = {
      driverName: 'pg',
      acquireConnection: () => {
        connections.push(Promise.withResolvers())
        return connections.at(-1)!.promise
      },
      releaseConnection: async (connection: object) => void released.push(connection),
    }
    const pool = { max: 1, acquireTimeoutMillis: 200 }
    shareConnections({ client: { client }, pool } as unknown as ConnectionContract)

    const first = client.acquireConnection()
    const second = client.acquireConnection()
    await nextTurn()
    connections[0].resolve({})
    await client.releaseConnection(await first)
    // It has its turn now, but the pool has no connection yet.
    await assert.rejects(() => second, /Timeout acquiring a connection/)
    const late = {}
    connections[1].resolve(late)
    const third = client.acquireConnection()
    await nextTurn()
    assert.strictEqual(released[1], late)
    connections[2].resolve({})
    await third
  })
})
