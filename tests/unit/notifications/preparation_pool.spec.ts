import { test } from '@japa/runner'
import { Problem } from '#core/exceptions/problem'
import { PreparationPool, type PoolOptions } from '#app/notifications/preparation/preparation_pool'

/** A small body that takes hours to prepare. */
const ENDLESS = `<style>b~i~i~i~i~i~i{color:red}</style>${'<i>x</i>'.repeat(500)}`
/** A small body that uses up all memory. */
const VAST = `<style>*{background:url(${'x'.repeat(30_000)})}</style>${'<b></b>'.repeat(4_000)}`

const texts = (bodyTemplate: string) => ({ subjectTemplate: 'Hello', bodyTemplate })

function aPool(options: Partial<PoolOptions> = {}) {
  return new PreparationPool({
    threads: 2,
    maxWaiting: 6,
    maxWaitingPerAuthor: 3,
    limits: { computeMs: 300, elapsedMs: 5_000, memoryMiB: 64 },
    ...options,
  })
}

/** The problem code of a failed preparation, or null. */
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

  test('returns the derived texts', async ({ assert }) => {
    const prepared = await pool.prepare(
      { subjectTemplate: 'Hi {{name}}', bodyTemplate: '<style>p{color:red}</style><p>{{a.b}}</p>' },
      'ada'
    )
    assert.equal(prepared.inlinedBody, '<p style="color: red;">{{a.b}}</p>')
    assert.equal(prepared.textTemplate, '{{a.b}}')
  })

  test('reports the line and field of a mistake', async ({ assert }) => {
    const error = await pool.prepare(texts('<p>\n{{#a}}'), 'ada').catch((each) => each)
    assert.equal(error.kind.code, 'TEMPLATE_SYNTAX')
    assert.deepEqual(error.details, { line: 2, field: 'bodyTemplate' })
  })

  test('rejects templates that take too much time or memory, then serves the next one', async ({
    assert,
  }) => {
    assert.equal(await codeOf(pool.prepare(texts(ENDLESS), 'ada')), 'TEMPLATE_TOO_COMPLEX')
    assert.equal(await codeOf(pool.prepare(texts(VAST), 'ada')), 'TEMPLATE_TOO_COMPLEX')
    assert.isNull(await codeOf(pool.prepare(texts('<p>fine</p>'), 'ada')))
  })

  test('does not count waiting towards the time limit', async ({ assert }) => {
    const preparing = [texts(ENDLESS), texts('<p>1</p>'), texts('<p>2</p>')].map((each) =>
      codeOf(pool.prepare(each, 'ada'))
    )
    assert.deepEqual(await Promise.all(preparing), ['TEMPLATE_TOO_COMPLEX', null, null])
  })

  test('does not let one author delay others, and limits waiting templates per author', async ({
    assert,
  }) => {
    pool = aPool({ maxWaitingPerAuthor: 2 })
    const ended: (string | null)[] = []
    const hostile = Array.from({ length: 8 }, () =>
      codeOf(pool.prepare(texts(ENDLESS), 'mallory')).then((code) => ended.push(code))
    )
    assert.isNull(await codeOf(pool.prepare(texts('<p>fine</p>'), 'ada')))
    assert.isBelow(ended.length, 8)
    await Promise.all(hostile)
    // One running, two waiting, five rejected immediately.
    assert.deepEqual(ended, [
      ...Array.from({ length: 5 }, () => 'RATE_LIMITED'),
      ...Array.from({ length: 3 }, () => 'TEMPLATE_TOO_COMPLEX'),
    ])
  })

  test('limits the queue', async ({ assert }) => {
    const preparing = Array.from({ length: 10 }, (_, index) =>
      codeOf(pool.prepare(texts(`<p>${index}</p>`), `author ${index}`))
    )
    const codes = await Promise.all(preparing)
    assert.deepEqual(codes, [...Array.from({ length: 8 }, () => null), 'OVERLOADED', 'OVERLOADED'])
  })

  test('gives the place of someone with several to someone with none', async ({ assert }) => {
    const waiting = ['ada', 'bob', 'eve'].flatMap((author) =>
      Array.from({ length: 3 }, () => codeOf(pool.prepare(texts('<p>1</p>'), author)))
    )
    assert.isNull(await codeOf(pool.prepare(texts('<p>2</p>'), 'newcomer')))
    const codes = await Promise.all(waiting)
    assert.lengthOf(
      codes.filter((code) => code === 'OVERLOADED'),
      2
    )
  })

  test('stops immediately, even with running and waiting work', async ({ assert }) => {
    const preparing = ['ada', 'bob', 'eve'].map((author) =>
      codeOf(pool.prepare(texts(ENDLESS), author))
    )
    await pool.stop()
    const codes = await Promise.all(preparing)
    assert.isTrue(codes.every((code) => code !== null))
  })
})
