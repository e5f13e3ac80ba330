import { test } from '@japa/runner'
import fc from 'fast-check'
import db from '@adonisjs/lucid/services/db'
import { isCleanText } from '#core/values/clean_text'

test.group('Clean text', () => {
  test('NUL characters and lone surrogates are not clean, anything else is', ({ assert }) => {
    for (const text of ['\0', 'a\0b', '\ud800', '\udfff', 'a\ud83d', '\ude00b', '\ude00\ud83d']) {
      assert.isFalse(isCleanText(text), JSON.stringify(text))
    }
    for (const text of ['', 'Žluťoučký', '\u{1f600}', '\u0001\t\n', '\ufffd', '\ufeff', '\u200b']) {
      assert.isTrue(isCleanText(text), JSON.stringify(text))
    }
  })

  test('the database returns clean text unchanged', async ({ assert }) => {
    const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code))
    const texts = fc
      .sample(fc.oneof(fc.string({ unit }), fc.string({ unit: 'binary' })), 300)
      .filter(isCleanText)
    assert.isNotEmpty(texts)
    for (const text of texts) {
      const answer = await db.rawQuery('select cast(? as text) as echoed', [text])
      const [{ echoed }] = answer.rows ?? answer
      assert.equal(echoed, text)
    }
  })
})
