import { test } from '@japa/runner'
import fc from 'fast-check'
import { MAX_PAYLOAD_BYTES, pushPayload } from '#app/delivery/push/push_payload'

const texts = fc.oneof(
  fc.string({ maxLength: 6_000, unit: 'grapheme', size: 'max' }),
  fc
    .tuple(fc.constantFrom('x', '"', '\\', '\n', '€', '😀'), fc.nat(6_000))
    .map(([letter, times]) => letter.repeat(times))
)
const links = fc.option(fc.nat(2_000).map((length) => `https://x.example/${'a'.repeat(length)}`))
const contents = fc.record({ title: texts, body: texts, icon: links, url: links })

test.group('Push payload', () => {
  test('always fits and never splits a character', ({ assert }) => {
    fc.assert(
      fc.property(contents, (content) => {
        const payload = pushPayload(content)
        assert.isAtMost(Buffer.byteLength(payload), MAX_PAYLOAD_BYTES)
        const { title, body } = JSON.parse(payload)
        assert.isAtMost(body.length, 200)
        assert.isTrue(content.title.startsWith(title))
        assert.isTrue(content.body.trim().startsWith(body))
        assert.isTrue(title.isWellFormed() && body.isWellFormed())
      }),
      { numRuns: 300 }
    )
  })

  test('is not shortened if it fits', ({ assert }) => {
    const content = { title: 'Hello', body: 'World', icon: null, url: 'https://x.example/' }
    assert.deepEqual(JSON.parse(pushPayload(content)), content)
  })
})
