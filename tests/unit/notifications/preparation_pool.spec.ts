import { test } from '@japa/runner'
import { Problem } from '#core/exceptions/problem'
import { PreparationPool, type PoolOptions } from '#app/notifications/preparation/preparation_pool'

/** A small body that takes hours. */
const ENDLESS = `<style>b~i~i~i~i~i~i{color:red}</style>${'<i>x</i>'.repeat(500)}`
/** A small body that takes all memory. */
const VAST = `<style>*{background:url(${'x'.repeat(30_000)})}</style>${'<b></b>'.repeat(4_000)}`

const texts = (bodyTemplate: string) => ({ subjectTemplate: 'Hello', bodyTemplate })

function aPool(options: Partial<PoolOptions> = {}) {
  return new PreparationPool({
    threads: 2,
    maxWaiting: 6,
    maxWaitingOfOne: 3,
    limits: { computeMs: 300, elapsedMs: 5_000, memoryMiB: 64 },
    ...options,
  })
}

/** The code of the problem it ends with, or null. */
const codeOf = (preparing: Promise<unknown>) =>
  preparing.then(
    () => null,
    (error) => (error instanceof Problem ? error.kind.code : String(error))
  )

test.group('Preparation of templates in threads', (group) => {
  let pool: PreparationPool
  group.each.setup(() => {
    pool = aPool()
    return () => pool.stop()
  })
  group.each.timeout(60_000)

  test('answers what is stored, and the names of the placeholders', async ({ assert }) => {
    const { names, fields } = await pool.prepare(
      { subjectTemplate: 'Hi {{name}}', bodyTemplate: '<style>p{color:red}</style><p>{{a.b}}</p>' },
      'ada'
    )
    assert.deepEqual(names, ['name', 'a.b'])
    assert.equal(fields.inlinedBody, '<p style="color: red;">{{a.b}}</p>')
    assert.equal(fields.textTemplate, '{{a.b}}')
  })

  test('a mistake has its line and field', async ({ assert }) => {
    const error = await pool.prepare(texts('<p>\n{{#a}}'), 'ada').catch((each) => each)
    assert.equal(error.kind.code, 'TEMPLATE_SYNTAX')
    assert.deepEqual(error.details, { line: 2, field: 'bodyTemplate' })
  })

  test('what takes too much time or memory is refused, and the next one is served', async ({
    assert,
  }) => {
    assert.equal(await codeOf(pool.prepare(texts(ENDLESS), 'ada')), 'TEMPLATE_TOO_COMPLEX')
    assert.equal(await codeOf(pool.prepare(texts(VAST), 'ada')), 'TEMPLATE_TOO_COMPLEX')
    assert.isNull(await codeOf(pool.prepare(texts('<p>fine</p>'), 'ada')))
  })

  test('waiting does not count towards the limit', async ({ assert }) => {
    const preparing = [texts(ENDLESS), texts('<p>1</p>'), texts('<p>2</p>')].map((each) =>
      codeOf(pool.prepare(each, 'ada'))
    )
    assert.deepEqual(await Promise.all(preparing), ['TEMPLATE_TOO_COMPLEX', null, null])
  })

  test('the templates of one author delay nobody else, and are refused beyond their share', async ({
    assert,
  }) => {
    pool = aPool({ maxWaitingOfOne: 2 })
    const ended: (string | null)[] = []
    const hostile = Array.from({ length: 8 }, () =>
      codeOf(pool.prepare(texts(ENDLESS), 'mallory')).then((code) => ended.push(code))
    )
    assert.isNull(await codeOf(pool.prepare(texts('<p>fine</p>'), 'ada')))
    assert.isBelow(ended.length, 8)
    await Promise.all(hostile)
    // One under way, two waiting, five refused at once.
    assert.deepEqual(ended, [
      ...Array.from({ length: 5 }, () => 'RATE_LIMITED'),
      ...Array.from({ length: 3 }, () => 'TEMPLATE_TOO_COMPLEX'),
    ])
  })

  test('the queue is bounded', async ({ assert }) => {
    const preparing = Array.from({ length: 10 }, (_, index) =>
      codeOf(pool.prepare(texts(`<p>${index}</p>`), `author ${index}`))
    )
    const codes = await Promise.all(preparing)
    assert.deepEqual(codes, [...Array.from({ length: 8 }, () => null), 'OVERLOADED', 'OVERLOADED'])
  })

  test('stops immediately, whatever is running and waiting', async ({ assert }) => {
    const preparing = ['ada', 'bob', 'eve'].map((author) =>
      codeOf(pool.prepare(texts(ENDLESS), author))
    )
    await pool.stop()
    const codes = await Promise.all(preparing)
    assert.isTrue(codes.every((code) => code !== null))
  })
})
