import { DateTime } from 'luxon'
import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import Application from '#app/applications/models/application'
import Language from '#app/platform/models/language'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import { createUsers } from '#app/profiles/actions/create_users'
import RegistrationLocale from '#app/profiles/models/registration_locale'
import User from '#app/profiles/models/user'
import { anotherService } from '#tests/helpers/internal'
import { uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { uniqueLanguage } from '#tests/helpers/platform'
import {
  withRecipient,
  anOrganisation,
  postProviderMessage,
  withSigningKey,
} from '#tests/helpers/provider_hook'
import { activation } from '#tests/helpers/provider_samples'

const PATH = '/api/internal/auth/registration-locale'

async function register(client: ApiClient, email: string, orgId: string, locale: string) {
  const response = await anotherService(client).put(PATH, { email, orgId, locale })
  response.assertStatus(200)
  return response.body().data
}

test.group('Registration locale', (group) => {
  withSigningKey(group)

  test('is stored for a day, normalised, for the address and the organisation', async ({
    assert,
    client,
  }) => {
    const email = uniqueEmail()
    const orgId = uniqueCode('organisation')
    const kept = await register(client, email.toUpperCase(), orgId, 'cs-CZ')
    assert.deepInclude(kept, { email, orgId, locale: 'cs' })
    const hours = DateTime.fromISO(kept.expiresAt).diffNow('hours').hours
    assert.closeTo(hours, 24, 0.1)
    assert.isNull(await User.findBy({ email }), 'nobody is created by registering')
  })

  for (const [wanted, kept] of Object.entries({
    'cs': 'cs',
    'CS_cz.UTF-8': 'cs',
    'en-GB': 'en',
    'de': 'en',
    '*': 'en',
    'no language at all': 'en',
  })) {
    test(`stores "${wanted}" as "${kept}"`, async ({ assert, client }) => {
      const { locale } = await register(client, uniqueEmail(), 'organisation', wanted)
      assert.equal(locale, kept)
    })
  }

  test('accepts only languages enabled in the registry and used by the application', async ({
    assert,
    client,
    cleanup,
  }) => {
    const code = uniqueLanguage()
    const language = await Language.create({ code, name: 'One', fallback: null, enabled: true })
    const keeping = async () =>
      (await register(client, uniqueEmail(), 'organisation', code)).locale as string
    assert.equal(await keeping(), 'en', 'the application does not have it')
    const application = await Application.withCode('auth')
    const before = application.supportedLanguages
    cleanup(async () => {
      await application.merge({ supportedLanguages: before }).save()
      await language.delete()
    })
    await application.merge({ supportedLanguages: [...before, code] }).save()
    assert.equal(await keeping(), code)
    await language.merge({ enabled: false }).save()
    assert.equal(await keeping(), 'en', 'it is switched off')
  })

  test('applies to mails before there is a profile', async ({ assert, client, cleanup }) => {
    const [first, second] = [await anOrganisation(), await anOrganisation()]
    cleanup(() => Promise.all([first.server.stop(), second.server.stop()]).then(() => {}))
    const email = uniqueEmail()
    await register(client, email, first.id, 'cs')
    assert.equal(
      (await postProviderMessage(withRecipient(activation(), first.id, email))).status,
      'sent'
    )
    assert.equal(
      (await postProviderMessage(withRecipient(activation(), second.id, email))).status,
      'sent'
    )
    assert.equal(first.server.mails[0].parsed.subject, 'Aktivujte svůj účet')
    assert.equal(second.server.mails[0].parsed.subject, 'Activate your account')
    assert.isNull(await User.findBy({ email }))
  })

  test('is ignored after a day and deleted with the next one', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { id, server } = await anOrganisation()
    cleanup(() => server.stop())
    const email = uniqueEmail()
    await register(client, email, id, 'cs')
    const row = await RegistrationLocale.findByOrFail({ email })
    await row.merge({ expiresAt: DateTime.utc().minus({ seconds: 1 }) }).save()
    assert.equal((await postProviderMessage(withRecipient(activation(), id, email))).status, 'sent')
    assert.equal(server.mails[0].parsed.subject, 'Activate your account')
    await register(client, uniqueEmail(), id, 'cs')
    assert.isNull(await RegistrationLocale.findBy({ email }))
  })

  test('is taken over by an existing and by a new profile', async ({ assert, client }) => {
    const [known, later, inBulk] = [uniqueEmail(), uniqueEmail(), uniqueEmail()]
    await ensureUser({ email: known })
    for (const email of [known, later, inBulk]) await register(client, email, 'organisation', 'cs')
    const locales = [
      (await User.findByOrFail({ email: known })).locale,
      (await ensureUser({ email: later })).locale,
      (await createUsers([inBulk])).get(inBulk)?.locale,
    ]
    assert.deepEqual(locales, ['cs', 'cs', 'cs'])
  })

  test('does not override a later choice in the profile', async ({ assert, client, cleanup }) => {
    const { id, server } = await anOrganisation()
    cleanup(() => server.stop())
    const email = uniqueEmail()
    await register(client, email, id, 'cs')
    await (await ensureUser({ email })).merge({ locale: 'en' }).save()
    assert.equal((await postProviderMessage(withRecipient(activation(), id, email))).status, 'sent')
    assert.equal(server.mails[0].parsed.subject, 'Activate your account')
  })

  test('is stored once by concurrent requests', async ({ assert, client }) => {
    const email = uniqueEmail()
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => register(client, email, 'org', n % 2 ? 'cs' : 'en'))
    )
    assert.lengthOf(await RegistrationLocale.query().where('email', email), 1)
  })

  test('refuses invalid input', async ({ client }) => {
    const service = anotherService(client)
    const good = { email: uniqueEmail(), orgId: 'organisation', locale: 'cs' }
    for (const bad of [{ email: 'nobody' }, { orgId: '' }, { orgId: 5 }, { locale: '' }]) {
      const response = await service.put(PATH, { ...good, ...bad })
      response.assertProblem(400, 'VALIDATION_ERROR')
    }
    const unknown = await client.put(PATH).json(good)
    unknown.assertProblem(401, 'UNAUTHENTICATED')
  })
})
