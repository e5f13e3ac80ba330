import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import NotificationTemplate from '#app/notifications/models/notification_template'
import NotificationType from '#app/notifications/models/notification_type'
import { panelPerson } from '#tests/helpers/panel_people'
import { anAdministratorOf, anApplication, signedIn, superAdmin } from '#tests/helpers/people'
import { aTemplate, aType, aVersion } from '#tests/helpers/templates'

const ROOT = '/api/admin/notifications'
const TEXTS = { subjectTemplate: 'Reset', bodyTemplate: '<p>Mine</p>' }

/** A system type outside the panel's application, as with `IDP_NOTIFICATION_APPLICATION`. */
async function aSystemType() {
  const application = await anApplication()
  const type = await aType(application)
  const template = await aTemplate(application, type)
  await aVersion(template, 'en')
  await NotificationType.query().where('id', type.id).update({ system: true })
  return { application, type, template }
}

type Fixture = Awaited<ReturnType<typeof aSystemType>>
type Person = ReturnType<typeof signedIn>

/** All requests that change a type, its templates or versions, or test one; deletions come last. */
function changeRequests(person: Person, { application, type, template }: Fixture) {
  const typePath = `${ROOT}/types/${application.code}/${type.code}`
  const path = `${ROOT}/templates/${template.id}`
  return [
    () => person.put(typePath, { name: 'Mine' }),
    () => person.put(typePath, { emailFromName: 'Mine' }),
    () => person.post(`${typePath}/templates`, { key: 'mine', name: 'Mine' }),
    () => person.put(path, { name: 'Mine' }),
    () => person.put(`${path}/locales/en`, TEXTS),
    () => person.put(`${path}/locales/cs`, TEXTS),
    () => person.post(`${path}/locales/en/test`, { data: { url: 'https://evil.example' } }),
    () => person.delete(`${path}/locales/en`),
    () => person.delete(path),
    () => person.delete(typePath),
  ]
}

async function stateOf({ type }: Fixture) {
  const { name, emailFromName } = await NotificationType.findOrFail(type.id)
  const templates = await NotificationTemplate.query()
    .where('notificationTypeId', type.id)
    .preload('versions', (versions) => versions.orderBy('locale'))
  const texts = templates.map((template) => [
    template.key,
    template.name,
    ...template.versions.map(({ locale, bodyTemplate }) => [locale, bodyTemplate]),
  ])
  return { name, emailFromName, texts }
}

async function editorsOf(client: ApiClient, { application }: Fixture) {
  return [
    signedIn(client, await anAdministratorOf(application)),
    signedIn(client, await panelPerson(client, { [application.code]: 'edit' })),
  ]
}

test.group('A system type of an application', () => {
  test('cannot be changed by users who manage only the application', async ({ client, assert }) => {
    const fixture = await aSystemType()
    const before = await stateOf(fixture)
    for (const editor of await editorsOf(client, fixture)) {
      for (const change of changeRequests(editor, fixture)) {
        const response = await change()
        response.assertProblem(403, 'SYSTEM_TYPE')
        assert.include(response.body().detail, 'global panel admins')
      }
    }
    assert.deepEqual(await stateOf(fixture), before)
  })

  test('can be read and previewed by them, and they can change their other types', async ({
    client,
  }) => {
    const fixture = await aSystemType()
    const { application, template } = fixture
    const own = await aTemplate(application, await aType(application))
    for (const editor of await editorsOf(client, fixture)) {
      const list = await editor.get(`${ROOT}/templates/${template.id}/locales`)
      list.assertStatus(200)
      const path = `${ROOT}/templates/${template.id}/locales/en`
      const preview = await editor.post(`${path}/preview`, { data: {} })
      preview.assertStatus(200)
      const saved = await editor.put(`${ROOT}/templates/${own.id}/locales/en`, TEXTS)
      saved.assertStatus(200)
    }
  })

  test('is hidden from all other users', async ({ client }) => {
    const fixture = await aSystemType()
    const stranger = signedIn(client, await anAdministratorOf(await anApplication()))
    const { application, type, template } = fixture
    const unseen = await stranger.put(`${ROOT}/templates/${template.id}`, { name: 'Mine' })
    unseen.assertProblem(404, 'TEMPLATE_NOT_FOUND')
    const refused = await stranger.put(`${ROOT}/types/${application.code}/${type.code}`, {})
    refused.assertProblem(403, 'FORBIDDEN')
  })

  test('can be changed by super admins and global panel admins', async ({ client }) => {
    const globalAdmin = signedIn(client, await panelPerson(client, {}, { globally: 'edit' }))
    for (const admin of [globalAdmin, superAdmin(client)]) {
      const steps = changeRequests(admin, await aSystemType())
      for (const change of steps.slice(0, -1)) {
        const response = await change()
        if (response.status() >= 300) response.assertStatus(200)
      }
      const deleted = await steps.at(-1)!()
      deleted.assertProblem(409, 'TYPE_PROTECTED')
    }
  })
})
