import { test } from '@japa/runner'
import fc from 'fast-check'
import { MAX_JSON_DEPTH, isNestedTooDeep } from '#core/http/json_depth'

const arrays = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const objects = (depth: number) => '{"a":'.repeat(depth - 1) + '{}' + '}'.repeat(depth - 1)

/** The actual depth of a parsed value. */
function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

test.group('JSON depth', () => {
  test('32 levels are accepted and 33 are not', ({ assert }) => {
    assert.equal(MAX_JSON_DEPTH, 32)
    for (const nest of [arrays, objects]) {
      assert.isFalse(isNestedTooDeep(nest(32)))
      assert.isTrue(isNestedTooDeep(nest(33)))
      assert.isTrue(isNestedTooDeep(nest(5_000)))
    }
  })

  test('siblings do not count', ({ assert }) => {
    assert.isFalse(isNestedTooDeep(`[${Array(5_000).fill(arrays(30)).join(',')}]`))
  })

  test('brackets in strings and escaped quotes do not count', ({ assert }) => {
    assert.isFalse(isNestedTooDeep(JSON.stringify('['.repeat(100))))
    assert.isFalse(isNestedTooDeep(JSON.stringify({ '"\\': `"\\"${'{'.repeat(100)}` })))
    assert.isTrue(isNestedTooDeep(`["\\\\",${arrays(32)}]`))
    assert.isTrue(isNestedTooDeep(`["\\"",${arrays(32)}]`))
  })

  test('text that is not JSON causes no error', ({ assert }) => {
    for (const text of ['', '"', '"\\', ']]]]', '{"a', '}'.repeat(100) + arrays(20)]) {
      assert.isFalse(isNestedTooDeep(text))
    }
  })

  test('agrees with the parsed value for any JSON', ({ assert }) => {
    const values = fc.jsonValue({ maxDepth: 40, noUnicodeString: false })
    fc.assert(
      fc.property(values, fc.nat(20), (value, more) => {
        let nested: unknown = value
        for (let level = 0; level < more; level++) nested = level % 2 ? [nested] : { '"[': nested }
        assert.equal(isNestedTooDeep(JSON.stringify(nested)), depthOf(nested) > MAX_JSON_DEPTH)
      }),
      { numRuns: 500 }
    )
  })
})
