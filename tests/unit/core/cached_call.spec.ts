import { test } from '@japa/runner'
import { CachedCall } from '#core/values/cached_call'

/** A call that the test settles, with a clock that the test sets. */
function aQuestion() {
  const world = { now: 0, asked: 0, answer: async (): Promise<number> => world.asked }
  const question = new CachedCall(
    () => {
      world.asked++
      return world.answer()
    },
    10_000,
    () => world.now
  )
  return { world, question }
}

test.group('A cached call', () => {
  test('runs once per period for any number of callers', async ({ assert }) => {
    const { world, question } = aQuestion()
    assert.equal(await question.get(), 1)
    world.now = 9_999
    assert.equal(await question.get(), 1)
    world.now = 10_000
    assert.equal(await question.get(), 2)
    assert.equal(world.asked, 2)
  })

  test('is shared while it is running, even beyond its time', async ({ assert }) => {
    const { world, question } = aQuestion()
    const { promise, resolve } = Promise.withResolvers<number>()
    world.answer = () => promise
    const answers = Array.from({ length: 1_000 }, () => question.get())
    world.now = 60_000
    answers.push(question.get())
    resolve(7)
    assert.deepEqual(await Promise.all(answers), Array(1_001).fill(7))
    assert.equal(world.asked, 1)
  })

  test('caches a failure as long as a result', async ({ assert }) => {
    const { world, question } = aQuestion()
    world.answer = () => Promise.reject(new Error('away'))
    await assert.rejects(() => question.get(), 'away')
    world.answer = async () => 5
    world.now = 9_999
    await assert.rejects(() => question.get(), 'away')
    world.now = 10_000
    assert.equal(await question.get(), 5)
    assert.equal(world.asked, 2)
  })
})
