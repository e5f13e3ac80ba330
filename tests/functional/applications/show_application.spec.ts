import { test } from '@japa/runner'
import { TIMESTAMP } from '#tests/helpers/management'
import { panelPerson } from '#tests/helpers/panel_people'
import { anApplication, signedIn, superAdmin, uniqueCode, uniqueEmail } from '#tests/helpers/people'

test.group('Show an application', () => {
  test('a view level is enough', async ({ client, assert }) => {
    const { id, code, name } = await anApplication()
    const viewer = signedIn(client, await panelPerson(client, { [code]: 'view' }))
    const response = await viewer.get(`/api/applications/${code}`)
    response.assertStatus(200)
    const { createdAt } = response.body().data
    assert.match(createdAt, TIMESTAMP)
    response.assertBody({
      success: true,
      data: {
        id,
        code,
        name,
        description: null,
        createdAt,
        supportedLanguages: [],
        membership: 'open',
        outsideRecipients: false,
        level: 'view',
      },
    })
  })

  test('without a level, an application is indistinguishable from one that does not exist', async ({
    client,
  }) => {
    const { code } = await anApplication()
    const person = signedIn(client, uniqueEmail())
    const hidden = await person.get(`/api/applications/${code}`)
    hidden.assertProblem(403, 'FORBIDDEN')
    const unknown = await person.get(`/api/applications/${uniqueCode()}`)
    unknown.assertProblem(403, 'FORBIDDEN')
  })

  test('an unknown application is not found', async ({ client }) => {
    const admin = superAdmin(client)
    for (const code of [uniqueCode(), '__proto__', 'constructor', 'a%20b', '%E2%98%83']) {
      const response = await admin.get(`/api/applications/${code}`)
      response.assertProblem(404, 'APPLICATION_NOT_FOUND')
    }
  })

  test('codes are compared exactly, including case and spaces', async ({ client }) => {
    const { code } = await anApplication()
    const admin = superAdmin(client)
    for (const other of [code.toUpperCase(), `${code}%20`, `%20${code}`]) {
      const response = await admin.get(`/api/applications/${other}`)
      response.assertProblem(404, 'APPLICATION_NOT_FOUND')
    }
  })

  test('text that cannot be a code is refused without a query', async ({ client }) => {
    const admin = superAdmin(client)
    for (const code of ['%00', 'a%00b', '%ED%A0%80', '%zz']) {
      const response = await admin.get(`/api/applications/${code}`)
      response.assertProblem(400, 'VALIDATION_ERROR')
    }
  })
})
