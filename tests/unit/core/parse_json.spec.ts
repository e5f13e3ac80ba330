import { setImmediate as nextTurn } from 'node:timers/promises'
import { test } from '@japa/runner'
import fc from 'fast-check'
import { Problem } from '#core/exceptions/problem'
import { parseJson, parseJsonBody } from '#core/http/parse_json'

const bytesOf = (text: string) => Buffer.from(text)

/** The field that is refused; null if none is. */
function refusedIn(text: string): string | null {
  try {
    parseJson(bytesOf(text))
    return null
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return (error.details as { errors: { field: string }[] }).errors[0].field
  }
}

/** All characters as escapes, as some programs write them. */
const escaped = (text: string) =>
  Array.from({ length: text.length }, (_, index) => {
    const code = text.charCodeAt(index).toString(16).padStart(4, '0')
    return `\\u${code}`
  }).join('')

test.group('Forbidden characters in JSON', () => {
  test('are refused with their field', ({ assert }) => {
    assert.equal(refusedIn('{"a":{"b":[1,"x",{"c":"\\u0000"}]}}'), 'a.b.2.c')
    assert.equal(refusedIn('{"a":["\\ud83d"]}'), 'a.0')
    assert.equal(refusedIn('{"a":"\\uDC00\\uD800"}'), 'a')
    assert.equal(refusedIn('{"a":{"b\\u0000":1}}'), 'a')
  })

  test('are not seen where there are none', ({ assert }) => {
    for (const text of ['{"a":"\\\\u0000"}', '{"a":"\\ud83d\\ude00"}', '{"a":"\\u00e9"}']) {
      assert.isNull(refusedIn(text), text)
    }
  })

  test('are found however texts are written', ({ assert }) => {
    const texts = fc.string({ unit: fc.constantFrom('a', '\0', '\ud83d', '\ude00', '\\', 'u') })
    fc.assert(
      fc.property(texts, (text) => {
        const isClean = !text.includes('\0') && text.isWellFormed()
        assert.equal(refusedIn(`{"a":"${escaped(text)}"}`), isClean ? null : 'a')
      })
    )
  })
})

test.group('Large JSON bodies', () => {
  test('let other work run in between', async ({ assert }) => {
    const body = bytesOf(`{"z":["\\u0000"${',{}'.repeat(300_000)}]}`)
    let isOver = false
    const parsed = Promise.allSettled(Array.from({ length: 20 }, () => parseJsonBody(body)))
    void parsed.then(() => (isOver = true))
    let turns = 0
    while (!isOver) {
      await nextTurn()
      turns += 1
    }
    assert.isAtLeast(turns, 10)
    assert.isTrue((await parsed).every(({ status }) => status === 'rejected'))
  })

  test('do not wait for those of another caller', async ({ assert }) => {
    const body = bytesOf(`{"z":[{}${',{}'.repeat(300_000)}]}`)
    let parsed = 0
    const count = () => (parsed += 1)
    const busy = Array.from({ length: 20 }, () => parseJsonBody(body, 'busy').then(count))
    await parseJsonBody(bytesOf(`{"z":[{}${',{}'.repeat(10_000)}]}`), 'other')
    assert.isBelow(parsed, 10)
    await Promise.all(busy)
  })

  test('are objects or arrays', async ({ assert }) => {
    const scalar = bytesOf(`"${'a'.repeat(20_000)}"`)
    await assert.rejects(() => parseJsonBody(scalar), /must be a JSON object/)
  })
})
