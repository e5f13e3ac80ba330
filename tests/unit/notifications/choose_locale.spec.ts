import fc from 'fast-check'
import { test } from '@japa/runner'
import {
  chooseLocale,
  enabledLocale,
  matchLocale,
  normalizeLocale,
} from '#app/platform/values/choose_locale'

const FALLBACKS = {
  'en': null,
  'cs': 'en',
  'sk': 'cs',
  'de': null,
  'de-at': 'de',
  'fr': 'de',
  'loop-a': 'loop-b',
  'aa': 'bb',
  'bb': 'aa',
}

const registryWithout = (...disabled: string[]) =>
  new Map(
    Object.entries(FALLBACKS).map(([code, fallback]) => [
      code,
      { fallback, enabled: !disabled.includes(code) },
    ])
  )

const choose = (wanted: string, available: string[], ...disabled: string[]) =>
  chooseLocale(wanted, available, async () => registryWithout(...disabled))

const usable = (wanted: string, ...disabled: string[]) =>
  enabledLocale(wanted, async () => registryWithout(...disabled))

test.group('Locales', () => {
  test('are normalized to the form of the registry', ({ assert }) => {
    assert.equal(normalizeLocale('cs-CZ'), 'cs-cz')
    assert.equal(normalizeLocale('en_US'), 'en-us')
    assert.equal(normalizeLocale(' EN '), 'en')
    assert.equal(normalizeLocale('cs_CZ.UTF-8'), 'cs-cz')
    assert.equal(normalizeLocale('cs-CZ-u-ca-buddhist'), 'cs-cz')
    for (const garbage of ['*', '', '-', 'en-', '../../etc', '{{x}}', 'č', 'a'.repeat(5_000)]) {
      assert.isNull(normalizeLocale(garbage), garbage)
    }
  })

  test('fall back from a region to its language, but not the other way round', ({ assert }) => {
    assert.equal(matchLocale('cs-CZ', ['en', 'cs']), 'cs')
    assert.equal(matchLocale('pt_br', ['pt', 'pt-br']), 'pt-br')
    assert.isNull(matchLocale('pt', ['pt-br']))
    assert.isNull(matchLocale('*', ['en']))
  })

  test('are chosen in the order exact, fallback chain, English, any', async ({ assert }) => {
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

  test('are chosen even if the fallback chain is a loop', async ({ assert }) => {
    assert.equal(await choose('aa', ['cs']), 'cs')
  })

  test('of disabled languages fall back like missing ones', async ({ assert }) => {
    assert.equal(await choose('sk', ['en', 'cs', 'sk'], 'sk'), 'cs')
    assert.equal(await choose('sk', ['en', 'cs', 'sk'], 'sk', 'cs'), 'en')
    assert.equal(await choose('de-AT', ['en', 'cs', 'de'], 'de'), 'en')
    assert.equal(await choose('de', ['en', 'cs'], 'en'), 'cs')
    assert.equal(await choose('cs', ['cs'], 'cs'), 'cs', 'there is nothing else')
    assert.equal(await usable('cs-CZ'), 'cs')
    assert.equal(await usable('CS'), 'cs')
    assert.equal(await usable('cs-CZ', 'cs'), 'en')
    assert.equal(await usable('sk', 'sk'), 'cs')
    assert.equal(await usable('xx'), 'xx')
    assert.equal(await usable('*'), 'en')
  })

  test('are always chosen from the available ones', async ({ assert }) => {
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
