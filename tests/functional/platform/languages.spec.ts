import { test } from '@japa/runner'
import Notification from '#app/notifications/models/notification'
import NotificationTemplate from '#app/notifications/models/notification_template'
import NotificationType from '#app/notifications/models/notification_type'
import {
  anAdministratorOf,
  anApplication,
  signedIn,
  superAdmin,
  uniqueCode,
  uniqueEmail,
} from '#tests/helpers/people'
import { aTemplate, aType, sendNotification } from '#tests/helpers/deliveries'
import { aLanguage, uniqueLanguage } from '#tests/helpers/platform'

test.group('Languages', () => {
  test('English and Czech exist at first', async ({ client, assert }) => {
    const response = await superAdmin(client).get('/api/admin/languages')
    response.assertStatus(200)
    assert.isTrue(response.body().success)
    assert.deepEqual(response.body().data.slice(0, 2), [
      { code: 'en', name: 'English', fallback: null, enabled: true },
      { code: 'cs', name: 'Čeština', fallback: 'en', enabled: true },
    ])
  })

  test('a language is created, changed and deleted', async ({ client, assert }) => {
    const admin = superAdmin(client)
    const code = uniqueLanguage()
    const created = await admin.post('/api/admin/languages', { code, name: 'Slovenčina' })
    created.assertStatus(201)
    assert.deepEqual(created.body(), {
      success: true,
      data: { code, name: 'Slovenčina', fallback: null, enabled: true },
    })
    const updated = await admin.put(`/api/admin/languages/${code}`, {
      name: 'Slovak',
      fallback: 'cs',
      enabled: false,
    })
    updated.assertStatus(200)
    assert.deepEqual(updated.body(), {
      success: true,
      data: { code, name: 'Slovak', fallback: 'cs', enabled: false },
    })
    const part = await admin.put(`/api/admin/languages/${code}`, { fallback: null })
    assert.deepEqual(part.body().data, { code, name: 'Slovak', fallback: null, enabled: false })

    const deleted = await admin.delete(`/api/admin/languages/${code}`)
    deleted.assertStatus(204)
    assert.equal(deleted.text(), '')
    const list = await admin.get('/api/admin/languages')
    assert.notInclude(
      list.body().data.map((language: { code: string }) => language.code),
      code
    )
  })

  test('a code is lower case and unique', async ({ client }) => {
    const admin = superAdmin(client)
    for (const code of ['CS', 'cs_CZ', 'c', '', 'en-', 'český', '__proto__', 5]) {
      const response = await admin.post('/api/admin/languages', { code, name: 'X' })
      response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'code' }] })
    }
    const taken = await admin.post('/api/admin/languages', { code: 'cs', name: 'Czech' })
    taken.assertProblem(409, 'LANGUAGE_EXISTS')
  })

  test('of many concurrent requests to create a language, exactly one succeeds', async ({
    client,
    assert,
  }) => {
    const admin = superAdmin(client)
    const code = uniqueLanguage()
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => admin.post('/api/admin/languages', { code, name: 'X' }))
    )
    assert.deepEqual(
      responses.map((response) => response.status()).sort(),
      [201, 409, 409, 409, 409]
    )
  })

  test('an unknown fallback or a cycle is refused', async ({ client, assert }) => {
    const admin = superAdmin(client)
    const code = uniqueLanguage()
    const self = await admin.post('/api/admin/languages', { code, name: 'X', fallback: code })
    self.assertProblem(400, 'INVALID_FALLBACK', { fallback: code })
    const unknown = await admin.post('/api/admin/languages', { code, name: 'X', fallback: 'xq' })
    unknown.assertProblem(400, 'INVALID_FALLBACK', { fallback: 'xq' })

    const first = await aLanguage(client)
    const second = await aLanguage(client, { fallback: first.code })
    const third = await aLanguage(client, { fallback: second.code })
    const cycle = await admin.put(`/api/admin/languages/${first.code}`, {
      fallback: third.code,
      name: 'Changed',
    })
    cycle.assertProblem(400, 'INVALID_FALLBACK', { fallback: third.code })
    const list = await admin.get('/api/admin/languages')
    assert.deepInclude(list.body().data, first)
  })

  test('of two concurrent changes that would create a cycle, at most one succeeds', async ({
    client,
    assert,
  }) => {
    const admin = superAdmin(client)
    const first = await aLanguage(client)
    const second = await aLanguage(client)
    const responses = await Promise.all([
      admin.put(`/api/admin/languages/${first.code}`, { fallback: second.code }),
      admin.put(`/api/admin/languages/${second.code}`, { fallback: first.code }),
    ])
    assert.deepEqual(responses.map((response) => response.status()).sort(), [200, 400])
  })

  test('a language that an application supports cannot be deleted', async ({ client }) => {
    const admin = superAdmin(client)
    const { code } = await aLanguage(client)
    const created = await admin.post('/api/applications', {
      code: uniqueCode(),
      name: 'Shop',
      supportedLanguages: ['en', code],
    })
    created.assertStatus(201)
    const response = await admin.delete(`/api/admin/languages/${code}`)
    response.assertProblem(409, 'LANGUAGE_IN_USE', { usage: { applications: 1, users: 0 } })
  })

  test('a language that is disabled falls back for users who chose it', async ({
    assert,
    client,
  }) => {
    const { code } = await aLanguage(client, { fallback: 'cs' })
    const email = uniqueEmail()
    const person = signedIn(client, email)
    await person.put('/api/profile/me', { locale: code })
    const application = await anApplication()
    const type = await aType(application)
    const text = (subject: string) => ({ subject, body: subject })
    await aTemplate(type, { en: text('Hello'), cs: text('Ahoj'), [code]: text('Disabled') })
    const send = async (fields: object) => {
      const body = { recipientEmail: email, appCode: application.code, ...fields }
      const sent = await sendNotification(client, body)
      return Notification.findOrFail(sent.body().data.id)
    }
    assert.containSubset(await send({ type: type.code }), { subject: 'Disabled', locale: code })
    await superAdmin(client).put(`/api/admin/languages/${code}`, { enabled: false })
    assert.containSubset(await send({ type: type.code }), { subject: 'Ahoj', locale: 'cs' })
    const data = { subject: 'Without a template', body: 'x' }
    assert.containSubset(await send({ type: 'generic', data }), { locale: 'cs' })

    const same = await person.put('/api/profile/me', { locale: code.toUpperCase() })
    same.assertStatus(200)
    assert.equal(same.body().data.locale, code, 'it is kept')
    const other = await signedIn(client, uniqueEmail()).put('/api/profile/me', { locale: code })
    other.assertProblem(400, 'UNKNOWN_LANGUAGES')
  })

  test('a language that a user chose cannot be deleted', async ({ client }) => {
    const { code } = await aLanguage(client)
    const chosen = await signedIn(client, uniqueEmail()).put('/api/profile/me', { locale: code })
    chosen.assertStatus(200)
    const response = await superAdmin(client).delete(`/api/admin/languages/${code}`)
    response.assertProblem(409, 'LANGUAGE_IN_USE', { usage: { users: 1, applications: 0 } })
  })

  test('a language with a template version cannot be deleted', async ({ client }) => {
    const { code } = await aLanguage(client)
    const application = await anApplication()
    const type = await NotificationType.findByOrFail({ applicationId: application.id })
    const template = await NotificationTemplate.create({
      notificationTypeId: type.id,
      key: 'welcome',
      name: 'Welcome',
      variables: [],
    })
    await template.related('versions').create({
      locale: code,
      subjectTemplate: 'Hello',
      bodyTemplate: 'Hello',
      inlinedBody: 'Hello',
      textTemplate: 'Hello',
    })
    const response = await superAdmin(client).delete(`/api/admin/languages/${code}`)
    response.assertProblem(409, 'LANGUAGE_IN_USE', { usage: { templates: 1 } })
  })

  test('a language cannot be deleted while it is a fallback', async ({ client }) => {
    const admin = superAdmin(client)
    const { code } = await aLanguage(client)
    const other = await aLanguage(client, { fallback: code })
    const refused = await admin.delete(`/api/admin/languages/${code}`)
    refused.assertProblem(409, 'LANGUAGE_IN_USE', { usage: { fallbacks: 1 } })
    await admin.put(`/api/admin/languages/${other.code}`, { fallback: 'en' })
    const deleted = await admin.delete(`/api/admin/languages/${code}`)
    deleted.assertStatus(204)
  })

  test('the system language cannot be deleted or disabled', async ({ client }) => {
    const admin = superAdmin(client)
    const deleted = await admin.delete('/api/admin/languages/en')
    deleted.assertProblem(409, 'LANGUAGE_IN_USE')
    const disabled = await admin.put('/api/admin/languages/en', { enabled: false })
    disabled.assertProblem(409, 'LANGUAGE_IN_USE')
  })

  test('an unknown language is not found', async ({ client }) => {
    const admin = superAdmin(client)
    for (const code of ['xq', 'EN', '%E2%82%AC']) {
      const updated = await admin.put(`/api/admin/languages/${code}`, { name: 'X' })
      updated.assertProblem(404, 'LANGUAGE_NOT_FOUND')
      const deleted = await admin.delete(`/api/admin/languages/${code}`)
      deleted.assertProblem(404, 'LANGUAGE_NOT_FOUND')
    }
  })

  test('global panel admins can manage languages, and everyone in the panel can read them', async ({
    client,
  }) => {
    const stranger = signedIn(client, uniqueEmail())
    const administrator = signedIn(client, await anAdministratorOf(await anApplication()))
    const refused = await stranger.get('/api/admin/languages')
    refused.assertProblem(403, 'FORBIDDEN')
    const shown = await administrator.get('/api/admin/languages')
    shown.assertStatus(200)
    for (const person of [stranger, administrator]) {
      const created = await person.post('/api/admin/languages', { code: 'xq', name: 'X' })
      created.assertProblem(403, 'FORBIDDEN')
      const updated = await person.put('/api/admin/languages/cs', { name: 'X' })
      updated.assertProblem(403, 'FORBIDDEN')
      const deleted = await person.delete('/api/admin/languages/cs')
      deleted.assertProblem(403, 'FORBIDDEN')
    }
  })
})
