import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { TtlCache } from '#core/database/ttl_cache'
import { eventually } from '#tests/helpers/eventually'

test.group('TTL cache', () => {
  test('concurrent reads of the same key share one query', async ({ assert }) => {
    const asked: number[] = []
    const answers = new TtlCache(async (key: number) => {
      asked.push(key)
      return key * 2
    })
    assert.deepEqual(await Promise.all([1, 1, 2, 1].map((key) => answers.get(key))), [2, 2, 4, 2])
    assert.equal(await answers.get(1), 2)
    assert.deepEqual(asked, [1, 2])
  })

  test('a query builder runs once', async ({ assert }) => {
    let asked = 0
    const builder = {
      then: (resolve: (value: string) => void) => {
        asked++
        resolve('rows')
      },
    }
    const answers = new TtlCache(() => builder as unknown as Promise<string>)
    assert.deepEqual([await answers.get(1), await answers.get(1)], ['rows', 'rows'])
    assert.equal(asked, 1)
  })

  test('a failure is not cached', async ({ assert }) => {
    let fails = true
    const answers = new TtlCache(async () => {
      if (fails) throw new Error('down')
      return 'up'
    })
    await assert.rejects(() => answers.get(1), 'down')
    fails = false
    assert.equal(await answers.get(1), 'up')
  })

  test('a write takes effect when its transaction commits, or immediately without one', async ({
    assert,
  }) => {
    let stored = 'old'
    const answers = new TtlCache(async () => stored)
    await answers.get(1)
    await db.transaction(async (trx) => {
      answers.clearAfterCommit({ $trx: trx })
      assert.equal(await answers.get(1), 'old')
      stored = 'new'
    })
    assert.equal(await answers.get(1), 'new')
    stored = 'newer'
    answers.clearAfterCommit({})
    assert.equal(await answers.get(1), 'newer')
  })

  test('a result that was being read during a change is not cached', async ({ assert }) => {
    let stored = 'old'
    const begun = Promise.withResolvers<void>()
    const answers = new TtlCache(async () => {
      const seen = stored
      await begun.promise
      return seen
    })
    const early = answers.get(1)
    stored = 'new'
    answers.clearAfterCommit({})
    begun.resolve()
    assert.equal(await early, 'old')
    assert.equal(await answers.get(1), 'new')
  })

  test('a change by another process takes effect within a second', async ({ assert }) => {
    let stored = 'old'
    const answers = new TtlCache(async () => stored)
    assert.equal(await answers.get(1), 'old')
    stored = 'new'
    await eventually('the change shows', async () => (await answers.get(1)) === 'new', 3_000)
  })
})
