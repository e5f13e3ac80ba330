import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import Brand from '#app/platform/models/brand'
import { TIMESTAMP } from '#tests/helpers/management'
import { aLanguage } from '#tests/helpers/platform'
import { signedIn, superAdmin, uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { minutesFromNow, profileOf, withNames } from '#tests/helpers/profiles'

const PATH = '/api/profile/me'

const aBrand = () => Brand.create({ slug: uniqueCode('brand'), name: 'Brand', isDefault: false })

const EVERYTHING = {
  firstName: 'Grace',
  lastName: 'Hopper',
  displayName: 'Amazing Grace',
  avatarUrl: 'https://pictures.example/grace.png?size=200',
  locale: 'cs',
  theme: 'dark',
  timezone: 'America/New_York',
}

test.group('Updating one’s own profile', () => {
  test('stores every field and returns the stored profile', async ({ assert, client }) => {
    const person = signedIn(client, uniqueEmail())
    const brand = await aBrand()
    const response = await person.put(PATH, { ...EVERYTHING, brand: brand.slug })

    response.assertStatus(200)
    assert.isTrue(response.body().success)
    assert.containSubset(response.body().data, { ...EVERYTHING, brand: brand.slug })
    assert.match(response.body().data.updatedAt, TIMESTAMP)
    assert.deepEqual(await profileOf(client, person.email), response.body().data)
  })

  test('changes only the fields that are sent', async ({ assert, client }) => {
    const person = signedIn(client, uniqueEmail())
    const brand = await aBrand()
    await person.put(PATH, { ...EVERYTHING, brand: brand.slug })
    const other = await aBrand()
    for (const change of [
      { firstName: 'Ada' },
      { lastName: 'King' },
      { displayName: 'Countess' },
      { avatarUrl: 'http://pictures.example/ada' },
      { locale: 'en' },
      { theme: 'light' },
      { timezone: 'Europe/Prague' },
      { brand: other.slug },
      {},
    ]) {
      const before = await profileOf(client, person.email)
      const response = await person.put(PATH, change)
      response.assertStatus(200)
      const after = await profileOf(client, person.email)
      assert.deepEqual(
        { ...after, updatedAt: null },
        { ...before, ...change, updatedAt: null },
        JSON.stringify(change)
      )
    }
  })

  test('changes updatedAt only with a change', async ({ assert, client }) => {
    const person = signedIn(client, uniqueEmail())
    await person.put(PATH, { theme: 'dark' })
    const updatedAt = '2020-01-01T00:00:00.000Z'
    await db.from('users').where('email', person.email).update({ updated_at: updatedAt })
    assert.equal((await person.put(PATH, { theme: 'dark' })).body().data.updatedAt, updatedAt)
    const later = (await person.put(PATH, { theme: 'light' })).body().data.updatedAt
    assert.isAbove(Date.parse(later), Date.parse(updatedAt))
  })

  test('accepts null for optional fields, which restores the default', async ({
    assert,
    client,
  }) => {
    const person = signedIn(client, uniqueEmail())
    await person.put(PATH, EVERYTHING)
    const response = await person.put(PATH, { avatarUrl: null, locale: null, timezone: null })
    response.assertStatus(200)
    assert.containSubset(await profileOf(client, person.email), {
      avatarUrl: null,
      locale: null,
      timezone: null,
    })
  })

  test('clears names with null', async ({ assert, client }) => {
    const person = signedIn(client, 'mia.' + uniqueEmail())
    await person.put(PATH, EVERYTHING)
    const withoutDisplayName = await person.put(PATH, { displayName: null })
    assert.equal(withoutDisplayName.body().data.displayName, 'Grace Hopper')
    const cleared = await person.put(PATH, { firstName: null, lastName: null })
    const [displayName] = person.email.split('@')
    assert.containSubset(cleared.body().data, { firstName: null, lastName: null, displayName })
  })

  test('ignores null where there is always a value: {$self}')
    .with(['theme', 'brand'] as const)
    .run(async ({ assert, client }, field) => {
      const person = signedIn(client, uniqueEmail())
      await person.put(PATH, { theme: 'dark' })
      const before = await profileOf(client, person.email)
      const response = await person.put(PATH, { [field]: null })
      response.assertStatus(200)
      assert.deepEqual(await profileOf(client, person.email), before)
    })

  test('refuses an unknown brand by name and stores nothing', async ({ assert, client }) => {
    const person = signedIn(client, uniqueEmail())
    const response = await person.put(PATH, { ...EVERYTHING, brand: 'no-such-brand' })
    response.assertProblem(400, 'UNKNOWN_BRAND')
    assert.containSubset(await profileOf(client, person.email), {
      firstName: null,
      theme: 'system',
      brand: 'default',
    })
  })

  test('refuses an unknown language by name and stores nothing', async ({ assert, client }) => {
    const person = signedIn(client, uniqueEmail())
    for (const locale of ['xx', 'english', '*']) {
      const response = await person.put(PATH, { ...EVERYTHING, locale })
      response.assertProblem(400, 'UNKNOWN_LANGUAGES', {
        code: 'UNKNOWN_LANGUAGES',
        unknown: [locale],
      })
    }
    assert.containSubset(await profileOf(client, person.email), { locale: null, theme: 'system' })
  })

  test('accepts a language in any case and with a region', async ({ assert, client }) => {
    const person = signedIn(client, uniqueEmail())
    for (const locale of ['CS', 'cs-CZ', 'cs_CZ']) {
      const response = await person.put(PATH, { locale })
      response.assertStatus(200)
      assert.equal(response.body().data.locale, 'cs')
    }
  })

  test('refuses a disabled language, unless it was chosen before', async ({ assert, client }) => {
    const person = signedIn(client, uniqueEmail())
    const { code } = await aLanguage(client)
    await person.put(PATH, { locale: code })
    await superAdmin(client).put(`/api/admin/languages/${code}`, { enabled: false })
    const kept = await person.put(PATH, { locale: code, theme: 'dark' })
    assert.containSubset(kept.body().data, { locale: code, theme: 'dark' })
    const refused = await signedIn(client, uniqueEmail()).put(PATH, { locale: code })
    refused.assertProblem(400, 'UNKNOWN_LANGUAGES', { unknown: [code] })
    const options = (await person.get(`${PATH}/options`)).body().data
    assert.notInclude(JSON.stringify(options.locales), `"${code}"`)
  })

  test('offers enabled languages, brands and themes', async ({ assert, client }) => {
    const brand = await aBrand()
    const response = await signedIn(client, uniqueEmail()).get(`${PATH}/options`)
    const { data } = response.body()
    assert.deepEqual(data.themes, ['light', 'dark', 'system'])
    assert.deepInclude(data.brands, { slug: brand.slug, name: 'Brand' })
    assert.includeMembers(
      data.locales.map(({ code }: { code: string }) => code),
      ['en', 'cs']
    )
  })

  test('accepts only IANA time zones', async ({ client }) => {
    const person = signedIn(client, uniqueEmail())
    for (const timezone of ['UTC', 'Asia/Kolkata', 'America/Argentina/Buenos_Aires', 'Etc/GMT+1']) {
      const response = await person.put(PATH, { timezone })
      response.assertStatus(200)
    }
    for (const timezone of [
      '',
      'Europe/Nowhere',
      '+01:00',
      '-0500',
      'Z',
      'local',
      'GMT+1',
      'Prague',
    ]) {
      const response = await person.put(PATH, { timezone })
      response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'timezone' }] })
    }
  })

  test('accepts only http and https URLs for the avatar', async ({ client }) => {
    const person = signedIn(client, uniqueEmail())
    for (const avatarUrl of [
      'http://a.example',
      'HTTPS://a.example:8443/p?q=1#f',
      'https://[::1]/ž',
    ]) {
      const response = await person.put(PATH, { avatarUrl })
      response.assertStatus(200)
    }
    for (const avatarUrl of [
      '',
      'a.example/p.png',
      '/p.png',
      '//a.example/p.png',
      'http:a.example',
      'http:///a',
      'ftp://a.example/p',
      'data:image/png;base64,AAAA',
      'javascript:alert(1)',
      'https://',
      'https://user:secret@a.example/',
      'https://a b.example/',
      ' https://a.example/',
      'https://a.example/\n',
      'https://a.example/a b',
      `https://a.example/${'x'.repeat(2_048)}`,
    ]) {
      const response = await person.put(PATH, { avatarUrl })
      response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'avatarUrl' }] })
    }
  })

  test('accepts only known themes', async ({ client }) => {
    const person = signedIn(client, uniqueEmail())
    for (const theme of ['blue', 'Dark', '', 'toString']) {
      const response = await person.put(PATH, { theme })
      response.assertProblem(400, 'VALIDATION_ERROR', {
        errors: [{ field: 'theme', rule: 'enum' }],
      })
    }
  })

  test('trims names and refuses empty and long ones', async ({ assert, client }) => {
    const person = signedIn(client, uniqueEmail())
    await person.put(PATH, { firstName: '  Žofie ', lastName: "O'Neil-Müller 🙂" })
    assert.containSubset(await profileOf(client, person.email), {
      firstName: 'Žofie',
      lastName: "O'Neil-Müller 🙂",
    })
    for (const firstName of ['', '  ', 'x'.repeat(201)]) {
      const response = await person.put(PATH, { firstName })
      response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'firstName' }] })
    }
  })

  test('ignores unknown and read-only fields', async ({ assert, client }) => {
    const person = signedIn(client, uniqueEmail())
    const before = await profileOf(client, person.email)
    const response = await person.put(PATH, {
      id: 1,
      email: 'eve@acme.example',
      identityProfileUrl: 'https://evil.example',
      createdAt: '2000-01-01T00:00:00.000Z',
      active: false,
      idpUserId: '1',
      brandId: 1,
      namesChangedAt: '2100-01-01T00:00:00.000Z',
      unknown: {},
    })
    response.assertStatus(200)
    assert.deepEqual(await profileOf(client, person.email), before)
  })

  test('ignores the query string', async ({ assert, client }) => {
    const person = signedIn(client, uniqueEmail())
    const response = await person.put(`${PATH}?theme=light&firstName=Eve&email=eve@acme.example`, {
      theme: 'dark',
    })
    response.assertStatus(200)
    assert.containSubset(await profileOf(client, person.email), { theme: 'dark', firstName: null })
  })

  test('creates a missing profile', async ({ assert, client }) => {
    const names = { given_name: 'Grace', family_name: 'Hopper' }
    const person = withNames(client, uniqueEmail(), names)
    const response = await person.put(PATH, { theme: 'dark' })
    assert.containSubset(response.body().data, { firstName: 'Grace', theme: 'dark' })
  })

  test('makes names newer than all earlier tokens', async ({ assert, client }) => {
    const email = uniqueEmail()
    const token = { given_name: 'Old', family_name: 'Name', name: 'Old Name' }
    const person = withNames(client, email, token, minutesFromNow(-1))
    await person.put(PATH, { firstName: 'New', displayName: 'New Name' })
    const response = await person.get(PATH)
    assert.containSubset(response.body().data, {
      firstName: 'New',
      lastName: 'Name',
      displayName: 'New Name',
    })
  })

  test('leaves names to newer tokens if it contains none', async ({ assert, client }) => {
    const email = uniqueEmail()
    await withNames(client, email, { given_name: 'Old' }, minutesFromNow(-2)).get(PATH)
    await withNames(client, email, {}, minutesFromNow(-2)).put(PATH, { theme: 'dark' })
    await withNames(client, email, { given_name: 'New' }, minutesFromNow(-1)).get(PATH)
    assert.equal((await profileOf(client, email)).firstName, 'New')
  })

  test('loses no field in concurrent updates', async ({ assert, client }) => {
    const person = signedIn(client, uniqueEmail())
    await person.get(PATH)
    await Promise.all(
      Object.entries(EVERYTHING).map(([field, value]) => person.put(PATH, { [field]: value }))
    )
    assert.containSubset(await profileOf(client, person.email), EVERYTHING)
  })

  test('requires a token', async ({ client }) => {
    const response = await client.put(PATH).json({ theme: 'dark' })
    response.assertProblem(401, 'UNAUTHENTICATED')
  })
})
