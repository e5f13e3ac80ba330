import { AsyncLocalStorage } from 'node:async_hooks'
import { test } from '@japa/runner'
import { SharedStatements } from '#core/database/shared_statements'
import { eventually } from '#tests/helpers/eventually'

/** Groups that end when they are told to. */
function aWriter(most = 3) {
  const groups: number[][] = []
  const endings: PromiseWithResolvers<void>[] = []
  const shared = new SharedStatements<number, string>(async (items) => {
    groups.push(items)
    const ending = Promise.withResolvers<void>()
    endings.push(ending)
    await ending.promise
    return items.map(String)
  }, most)
  return { shared, groups, endings }
}

/** Long enough for whatever is to begin. */
const turn = async () => {
  for (let count = 0; count < 4; count++) await new Promise((resolve) => setImmediate(resolve))
}

test.group('Shared statements', () => {
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
    const shared = new SharedStatements<number, string | undefined>(write, 1)
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

  test('do not wait for a slow group', async ({ assert }) => {
    const { shared, groups, endings } = aWriter()
    const first = shared.add(1)
    await turn()
    const second = shared.add(2)
    await eventually('the second group begins', () => groups.length === 2)
    const third = shared.add(3)
    endings[0].resolve()
    assert.equal(await first, '1')
    endings[1].resolve()
    assert.equal(await second, '2')
    await eventually('the third group begins', () => groups.length === 3)
    endings[2].resolve()
    assert.equal(await third, '3')
    assert.deepEqual(groups, [[1], [2], [3]])
  })

  test('write the others alone if one cannot be written', async ({ assert }) => {
    const shared = new SharedStatements<number, string>(
      (items) =>
        items.includes(2) ? Promise.reject(new Error('two')) : Promise.resolve(items.map(String)),
      3
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
