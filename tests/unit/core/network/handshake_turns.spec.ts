import { test } from '@japa/runner'
import { HandshakeTurns } from '#core/network/handshake_turns'

function workFor(ms: number) {
  const end = performance.now() + ms
  while (performance.now() < end);
}

/** Resolves when the work has ended. */
const handshake = (turns: HandshakeTurns, member: string, ms: number) =>
  new Promise<string>((resolve) =>
    turns.run(
      () => workFor(ms),
      { group: 'shop', member },
      () => resolve(member)
    )
  )

test.group('Turns of TLS handshakes', () => {
  test('ordinary ones do not wait for costly ones', async ({ assert }) => {
    const turns = new HandshakeTurns()
    const ended: string[] = []
    const costly = Array.from({ length: 4 }, () =>
      handshake(turns, 'costly', 30).then((member) => ended.push(member))
    )
    for (let one = 0; one < 3; one++) {
      await handshake(turns, `ordinary ${one}`, 2).then((member) => ended.push(member))
    }
    assert.deepEqual(ended, ['costly', 'ordinary 0', 'ordinary 1', 'ordinary 2'])
    await Promise.all(costly)
    assert.lengthOf(ended, 7)
  })

  test('ordinary ones do not add up', async ({ assert }) => {
    const turns = new HandshakeTurns()
    const ended: string[] = []
    // Together more than little, but not long: other processes can interrupt them.
    for (let one = 0; one < 6; one++) await handshake(turns, 'often', 2)
    const costly = Array.from({ length: 3 }, () =>
      handshake(turns, 'costly', 30).then((member) => ended.push(member))
    )
    await handshake(turns, 'often', 2).then((member) => ended.push(member))
    assert.deepEqual(ended, ['costly', 'often'])
    await Promise.all(costly)
  })

  test('costly ones leave most of the time to others', async ({ assert }) => {
    const turns = new HandshakeTurns()
    const startedAt = performance.now()
    await Promise.all(Array.from({ length: 4 }, () => handshake(turns, 'costly', 30)))
    const elapsed = performance.now() - startedAt
    assert.isAbove(elapsed, 4 * 30 + 3 * 90 - 1)
  })
})
