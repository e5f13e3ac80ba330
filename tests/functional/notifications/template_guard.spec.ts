import { test } from '@japa/runner'
import type Application from '#app/applications/models/application'
import { PANEL_APPLICATION } from '#app/applications/values/panel'
import NotificationTemplate from '#app/notifications/models/notification_template'
import {
  anAdministratorOf,
  anApplication,
  signedIn,
  superAdmin,
  uniqueEmail,
} from '#tests/helpers/people'
import { aTemplate, aVersion } from '#tests/helpers/templates'
import type { ApiClient, ApiResponse } from '@japa/api-client'

type Person = ReturnType<typeof signedIn>

const texts = { subjectTemplate: 's', bodyTemplate: 'b' }

const reads = (person: Person, path: string): Promise<ApiResponse[]> =>
  Promise.all([
    person.get(`${path}/locales`),
    person.post(`${path}/locales/en/preview`, { data: {} }),
  ])

const writes = async (person: Person, path: string): Promise<ApiResponse[]> => [
  await person.put(path, { name: 'Changed' }),
  await person.put(`${path}/locales/en`, texts),
  await person.delete(`${path}/locales/en`),
  await person.delete(path),
]

async function aTemplateOf(application: Application) {
  const template = await aTemplate(application, { code: 'generic' })
  await aVersion(template, 'en')
  return `/api/admin/notifications/templates/${template.id}`
}

/** Their level comes from a resource override (authentication.md#panel-levels). */
async function withLevel(client: ApiClient, { code }: Application, accessLevel: 'view' | 'edit') {
  const email = uniqueEmail(accessLevel)
  const admin = superAdmin(client)
  const root = `/api/applications/${PANEL_APPLICATION}`
  const roles = await admin.get(`${root}/roles`)
  const role = roles.body().data.find((one: { code: string }) => one.code === 'application_manager')
  const permissions = await admin.get(`${root}/permissions`)
  const manage = permissions
    .body()
    .data.find((one: { code: string }) => one.code === 'applications.manage')
  const person = `/api/users/${email}/apps/${PANEL_APPLICATION}`
  const given = await admin.put(`${person}/roles`, { roleIds: [role.id] })
  given.assertStatus(200)
  const granted = await admin.put(`${person}/resources/application/${code}/permissions`, {
    permissions: [{ permissionId: manage.id, granted: true, accessLevel }],
  })
  granted.assertStatus(200)
  return signedIn(client, email)
}

test.group('Access to a template by its id', () => {
  test('is complete for administrators of its application', async ({ client }) => {
    const application = await anApplication()
    const person = signedIn(client, await anAdministratorOf(application))
    const path = await aTemplateOf(application)
    const responses = [...(await reads(person, path)), ...(await writes(person, path))]
    responses.forEach((response, index) =>
      response.assertStatus([200, 200, 200, 200, 204, 204][index])
    )
  })

  test('returns 404 to users who cannot see its application', async ({ assert, client }) => {
    const path = await aTemplateOf(await anApplication())
    const elsewhere = signedIn(client, await anAdministratorOf(await anApplication()))
    for (const person of [elsewhere, signedIn(client, uniqueEmail())]) {
      const responses = [...(await reads(person, path)), ...(await writes(person, path))]
      responses.forEach((response) => response.assertProblem(404, 'TEMPLATE_NOT_FOUND'))
      const unknown = await person.get('/api/admin/notifications/templates/2000000000/locales')
      unknown.assertProblem(404, 'TEMPLATE_NOT_FOUND')
      const id = path.split('/').at(-1)
      assert.deepEqual(
        { ...responses[0].body(), requestId: '' },
        { ...unknown.body(), requestId: '', detail: `Template ${id} does not exist` }
      )
    }
  })

  test('allows reading and previewing, but no changes, at the level view', async ({
    assert,
    client,
  }) => {
    const application = await anApplication()
    const path = await aTemplateOf(application)
    const viewer = await withLevel(client, application, 'view')
    const seen = await reads(viewer, path)
    seen.forEach((response) => response.assertStatus(200))
    const refused = await writes(viewer, path)
    refused.forEach((response) => response.assertProblem(403, 'FORBIDDEN'))
    assert.isNotNull(await NotificationTemplate.find(Number(path.split('/').at(-1))))
  })

  test('allows changes at the level edit', async ({ client }) => {
    const application = await anApplication()
    const path = await aTemplateOf(application)
    const editor = await withLevel(client, application, 'edit')
    const responses = await writes(editor, path)
    responses.forEach((response, index) => response.assertStatus([200, 200, 204, 204][index]))
  })

  test('requires a token or the internal key', async ({ client }) => {
    const path = await aTemplateOf(await anApplication())
    const anonymous = await client.get(`${path}/locales`)
    anonymous.assertProblem(401, 'UNAUTHENTICATED')
    const internal = await client.get(`${path.replace('admin', 'internal')}/locales`)
    internal.assertProblem(401, 'UNAUTHENTICATED')
    const wrong = await client
      .delete(path.replace('admin', 'internal'))
      .header('x-internal-api-key', 'wrong')
    wrong.assertProblem(401, 'UNAUTHENTICATED')
  })
})
