import { test } from '@japa/runner'
import {
  anAdministratorOf,
  anApplication,
  signedIn,
  superAdmin,
  uniqueEmail,
} from '#tests/helpers/people'
import { lifecycleEvent, manageApplication } from '#tests/helpers/management'
import { panelPerson } from '#tests/helpers/panel_people'

const codesOf = (body: { data: { code: string }[] }) => body.data.map(({ code }) => code)

test.group('List applications', () => {
  test('a super admin sees all applications, including the panel, oldest first', async ({
    client,
    assert,
  }) => {
    const applications = [await anApplication(), await anApplication()]
    const response = await superAdmin(client).get('/api/applications')
    response.assertStatus(200)
    assert.sameMembers(Object.keys(response.body()), ['success', 'data'])
    assert.isTrue(response.body().success)
    const codes = codesOf(response.body())
    assert.includeMembers(codes, ['auth', ...applications.map(({ code }) => code)])
    const ids = response.body().data.map(({ id }: { id: number }) => id)
    assert.deepEqual(
      ids,
      ids.toSorted((a: number, b: number) => a - b)
    )
  })

  test('an application in the list equals the application read alone', async ({
    client,
    assert,
  }) => {
    const application = await anApplication()
    const administrator = signedIn(client, await anAdministratorOf(application))
    const list = await administrator.get('/api/applications')
    const one = await administrator.get(`/api/applications/${application.code}`)
    assert.deepEqual(list.body(), { success: true, data: [one.body().data] })
  })

  test('a user without any level sees an empty list', async ({ client }) => {
    await anApplication()
    const response = await signedIn(client, uniqueEmail()).get('/api/applications')
    response.assertStatus(200)
    response.assertBody({ success: true, data: [] })
  })

  test('a panel level shows only the applications it covers', async ({ client, assert }) => {
    const [viewed, edited, hidden] = [
      await anApplication(),
      await anApplication(),
      await anApplication(),
    ]
    const email = await panelPerson(client, { [viewed.code]: 'view', [edited.code]: 'edit' })
    const response = await signedIn(client, email).get('/api/applications')
    assert.deepEqual(codesOf(response.body()), [viewed.code, edited.code])
    assert.notInclude(codesOf(response.body()), hidden.code)
  })

  test('a deny hides the application from a global viewer', async ({ client, assert }) => {
    const [open, denied] = [await anApplication(), await anApplication()]
    const email = await panelPerson(client, { [denied.code]: 'deny' }, { globally: 'view' })
    const response = await signedIn(client, email).get('/api/applications')
    const codes = codesOf(response.body())
    assert.include(codes, open.code)
    assert.notInclude(codes, denied.code)
    // A viewer cannot see the panel application.
    assert.notInclude(codes, 'auth')
  })

  test('an inactive user is refused', async ({ client }) => {
    const application = await anApplication()
    const email = uniqueEmail()
    await manageApplication(client, application.code).administrator(email)
    await lifecycleEvent(client, 'user.deactivated', email)
    const response = await signedIn(client, email).get('/api/applications')
    response.assertProblem(403, 'USER_INACTIVE')
  })
})
