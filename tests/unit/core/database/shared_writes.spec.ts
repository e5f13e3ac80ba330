import { AsyncLocalStorage } from 'node:async_hooks'
import { test } from '@japa/runner'
import { SharedWrites } from '#core/database/shared_writes'

const limits = (most: number, isShared = true) => [most, () => isShared] as const

/** Writes that end when they are told to. */
function aWriter(most = 3) {
  const groups: number[][] = []
  const endings: PromiseWithResolvers<void>[] = []
  const shared = new SharedWrites<number, string>(
    async (items) => {
      groups.push(items)
      const ending = Promise.withResolvers<void>()
      endings.push(ending)
      await ending.promise
      return items.map(String)
    },
    ...limits(most)
  )
  return { shared, groups, endings }
}

/** Long enough for whatever is to begin. */
const turn = async () => {
  for (let count = 0; count < 4; count++) await new Promise((resolve) => setImmediate(resolve))
}

test.group('Shared writes', () => {
  test('write together what comes in one turn, and give each its result', async ({ assert }) => {
    const { shared, groups, endings } = aWriter()
    const results = [shared.add(1), shared.add(2)]
    await turn()
    assert.deepEqual(groups, [[1, 2]])
    endings[0].resolve()
    assert.deepEqual(await Promise.all(results), ['1', '2'])
  })

  test('write together what comes while others are written', async ({ assert }) => {
    const { shared, groups, endings } = aWriter()
    const first = shared.add(1)
    await turn()
    const others = [shared.add(2), shared.add(3)]
    await turn()
    assert.deepEqual(groups, [[1]])
    endings[0].resolve()
    await first
    await turn()
    assert.deepEqual(groups, [[1], [2, 3]])
    endings[1].resolve()
    assert.deepEqual(await Promise.all(others), ['2', '3'])
  })

  test('take the context of no request', async ({ assert }) => {
    const requests = new AsyncLocalStorage<string>()
    const write = async (items: number[]) => items.map(() => requests.getStore())
    const shared = new SharedWrites<number, string | undefined>(write, ...limits(1))
    const results = requests.run('one', () => [1, 2].map((item) => shared.add(item)))
    assert.deepEqual(await Promise.all(results), [undefined, undefined])
  })

  test('are limited in size', async ({ assert }) => {
    const { shared, groups, endings } = aWriter(2)
    const results = [1, 2, 3].map((item) => shared.add(item))
    await turn()
    endings[0].resolve()
    await turn()
    assert.deepEqual(groups, [[1, 2], [3]])
    endings[1].resolve()
    assert.deepEqual(await Promise.all(results), ['1', '2', '3'])
  })

  test('are made alone and at once where they are not shared', async ({ assert }) => {
    const groups: number[][] = []
    const shared = new SharedWrites<number, number>(
      (items) => {
        groups.push(items)
        return Promise.resolve(items)
      },
      ...limits(3, false)
    )
    assert.deepEqual(await Promise.all([shared.add(1), shared.add(2)]), [1, 2])
    assert.deepEqual(groups, [[1], [2]])
  })

  test('write the others alone if one cannot be written', async ({ assert }) => {
    const shared = new SharedWrites<number, string>(
      (items) =>
        items.includes(2) ? Promise.reject(new Error('two')) : Promise.resolve(items.map(String)),
      ...limits(3)
    )
    const [one, two, three] = await Promise.allSettled([1, 2, 3].map((item) => shared.add(item)))
    assert.propertyVal(one, 'value', '1')
    assert.propertyVal(two, 'status', 'rejected')
    assert.propertyVal(three, 'value', '3')
    assert.equal(await shared.add(4), '4')
  })

  test('are not repeated if nobody knows whether they were made', async ({ assert }) => {
    const { shared, groups, endings } = aWriter()
    const failing = Promise.allSettled([shared.add(1), shared.add(2)])
    await turn()
    endings[0].reject(Object.assign(new Error('reset'), { code: 'ECONNRESET' }))
    for (const result of await failing) assert.propertyVal(result, 'status', 'rejected')
    assert.deepEqual(groups, [[1, 2]])
  })
})
