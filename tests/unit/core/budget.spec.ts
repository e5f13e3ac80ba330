import { test } from '@japa/runner'
import { Budget, type Reservation } from '#core/values/budget'
import { Deadline } from '#core/values/deadline'

const soon = () => new Deadline(60_000)

test.group('A budget', () => {
  test('limits each holder to its share until it releases some', async ({ assert }) => {
    const budget = new Budget(100, 25)
    const first = (await budget.reserve('a', 20, soon()))!
    let second: Reservation | null = null
    const waiting = budget.reserve('a', 10, soon()).then((one) => (second = one))
    assert.isNotNull(await budget.reserve('b', 25, soon()), 'others are not held up')
    assert.isNull(second)
    first.shrinkTo(15)
    await waiting
    assert.isNotNull(second)
  })

  test('returns null at the deadline and drops the request', async ({ assert }) => {
    const budget = new Budget(10, 10)
    const all = (await budget.reserve('a', 10, soon()))!
    assert.isNull(await budget.reserve('b', 1, new Deadline(1)))
    all.release()
    assert.isNotNull(await budget.reserve('c', 10, soon()))
  })

  test('never exceeds its capacity', async ({ assert }) => {
    const [capacity, most] = [40, 10]
    const budget = new Budget(capacity, most)
    const held = new Map<string, number>()
    const change = (holder: string, amount: number) => {
      held.set(holder, (held.get(holder) ?? 0) + amount)
      assert.isAtMost(held.get(holder)!, most)
      assert.isAtMost(
        [...held.values()].reduce((sum, one) => sum + one, 0),
        capacity
      )
    }
    const turn = () => new Promise((resolve) => setImmediate(resolve))
    await Promise.all(
      Array.from({ length: 400 }, async (_, number) => {
        const holder = `holder ${number % 7}`
        const amount = 1 + ((number * 13) % most)
        const part = (await budget.reserve(holder, amount, soon()))!
        change(holder, amount)
        await turn()
        const kept = number % amount
        change(holder, kept - amount)
        part.shrinkTo(kept)
        await turn()
        change(holder, -kept)
        part.release()
        part.release()
      })
    )
    assert.isNotNull(await budget.reserve('last', most, soon()))
  })
})
