import { test } from '@japa/runner'
import ResourceOverride from '#app/permissions/models/resource_override'
import { idOf, panelPerson } from '#tests/helpers/panel_people'
import {
  anAdministratorOf,
  anApplication,
  signedIn,
  superAdmin,
  uniqueCode,
  uniqueEmail,
} from '#tests/helpers/people'

const newApplication = () => ({ code: uniqueCode(), name: 'New' })

test.group('Permission to create and delete applications', () => {
  test('a global panel admin can create and delete applications', async ({ client }) => {
    const admin = signedIn(client, await panelPerson(client, {}, { globally: 'edit' }))
    const { code, name } = newApplication()
    const created = await admin.post('/api/applications', { code, name })
    created.assertStatus(201)
    const deleted = await admin.delete(`/api/applications/${code}`)
    deleted.assertStatus(204)
  })

  test('an application administrator cannot create or delete applications', async ({ client }) => {
    const application = await anApplication()
    const admin = signedIn(client, await anAdministratorOf(application))
    const created = await admin.post('/api/applications', newApplication())
    created.assertProblem(403, 'FORBIDDEN')
    const deleted = await admin.delete(`/api/applications/${application.code}`)
    deleted.assertProblem(403, 'FORBIDDEN')
    const kept = await superAdmin(client).get(`/api/applications/${application.code}`)
    kept.assertStatus(200)
  })

  test('an edit level on one application or a global view level is not enough', async ({
    client,
  }) => {
    const { code } = await anApplication()
    for (const email of [
      await panelPerson(client, { [code]: 'edit' }),
      await panelPerson(client, {}, { globally: 'view' }),
      uniqueEmail(),
    ]) {
      const person = signedIn(client, email)
      const created = await person.post('/api/applications', newApplication())
      created.assertProblem(403, 'FORBIDDEN')
      const deleted = await person.delete(`/api/applications/${code}`)
      deleted.assertProblem(403, 'FORBIDDEN')
    }
  })

  test('an edit level on an application that does not exist is not enough to create it', async ({
    client,
  }) => {
    const { code, name } = newApplication()
    const email = await panelPerson(client, {})
    // From before a level required the application to exist.
    await ResourceOverride.create({
      email,
      resourceType: 'application',
      resourceId: code,
      granted: true,
      permissionId: await idOf(client, 'permissions', 'applications.manage'),
    })
    const person = signedIn(client, email)
    const created = await person.post('/api/applications', { code, name })
    created.assertProblem(403, 'FORBIDDEN')
  })
})
