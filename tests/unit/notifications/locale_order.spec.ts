import fc from 'fast-check'
import { test } from '@japa/runner'
import { chooseLocale, matchLocale, normalizeLocale } from '#app/notifications/values/locale_order'

const registry = new Map<string, string | null>([
  ['en', null],
  ['cs', 'en'],
  ['sk', 'cs'],
  ['de', null],
  ['de-at', 'de'],
  ['fr', 'de'],
  ['loop-a', 'loop-b'],
  ['aa', 'bb'],
  ['bb', 'aa'],
])

const choose = (wanted: string, available: string[]) =>
  chooseLocale(wanted, available, async () => registry)

test.group('Locales', () => {
  test('are written like in the registry', ({ assert }) => {
    assert.equal(normalizeLocale('cs-CZ'), 'cs-cz')
    assert.equal(normalizeLocale('en_US'), 'en-us')
    assert.equal(normalizeLocale(' EN '), 'en')
    assert.equal(normalizeLocale('cs_CZ.UTF-8'), 'cs-cz')
    assert.equal(normalizeLocale('cs-CZ-u-ca-buddhist'), 'cs-cz')
    for (const garbage of ['*', '', '-', 'en-', '../../etc', '{{x}}', 'č', 'a'.repeat(5_000)]) {
      assert.isNull(normalizeLocale(garbage), garbage)
    }
  })

  test('a region falls back to its language, never a language to a region', ({ assert }) => {
    assert.equal(matchLocale('cs-CZ', ['en', 'cs']), 'cs')
    assert.equal(matchLocale('pt_br', ['pt', 'pt-br']), 'pt-br')
    assert.isNull(matchLocale('pt', ['pt-br']))
    assert.isNull(matchLocale('*', ['en']))
  })

  test('the order is: exact, the chain of the registry, English, any', async ({ assert }) => {
    assert.equal(await choose('sk', ['en', 'cs', 'sk']), 'sk')
    assert.equal(await choose('sk', ['en', 'cs']), 'cs')
    assert.equal(await choose('sk', ['de', 'en']), 'en')
    assert.equal(await choose('fr', ['en', 'de']), 'de')
    assert.equal(await choose('fr-CA', ['en', 'de']), 'de')
    assert.equal(await choose('de', ['cs', 'en']), 'en')
    assert.equal(await choose('de', ['fr', 'cs']), 'fr')
    assert.equal(await choose('xx', ['cs', 'en']), 'en')
    assert.isNull(await choose('en', []))
  })

  test('a circle in the registry ends', async ({ assert }) => {
    assert.equal(await choose('aa', ['cs']), 'cs')
  })

  test('the registry is not asked when the exact locale is there', async ({ assert }) => {
    const chosen = await chooseLocale('cs', ['en', 'cs'], () => Promise.reject(new Error('asked')))
    assert.equal(chosen, 'cs')
  })

  test('whatever is wanted, something available is chosen', async ({ assert }) => {
    const wanted = fc.oneof(
      fc.string(),
      fc.constantFrom('*', 'en_US', 'zh-Hant-TW', 'x-private', 'i-klingon', 'und', 'root', 'C')
    )
    const available = fc.uniqueArray(fc.constantFrom('en', 'cs', 'de-at', 'zh', '*', 'not a tag'), {
      minLength: 1,
    })
    await fc.assert(
      fc.asyncProperty(wanted, available, async (locale, locales) => {
        assert.include(locales, String(await choose(locale, locales)))
      })
    )
  })
})
