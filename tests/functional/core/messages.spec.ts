import { test } from '@japa/runner'
import { anApplication, signedIn, superAdmin, uniqueEmail } from '#tests/helpers/people'

test.group('Messages of problems', () => {
  test('describe what a field must be, with the parameters as meta', async ({ assert, client }) => {
    const { code } = await anApplication()
    const admin = superAdmin(client)
    const cases: [string, object, { field: string; message: string; meta: object }][] = [
      [
        '/api/profile/me',
        { theme: 'blue' },
        {
          field: 'theme',
          message: 'theme must be one of light, dark, system',
          meta: { choices: ['light', 'dark', 'system'] },
        },
      ],
      [
        `/api/applications/${code}`,
        { name: 'x'.repeat(256) },
        { field: 'name', message: 'name must have at most 255 characters', meta: { max: 255 } },
      ],
      [
        `/api/applications/${code}`,
        { supportedLanguages: ['en', 5] },
        {
          field: 'supportedLanguages.1',
          message: 'supportedLanguages.1 must be a string',
          meta: {},
        },
      ],
    ]
    for (const [path, body, error] of cases) {
      const response = await admin.put(path, body)
      response.assertProblem(400, 'VALIDATION_ERROR')
      const { detail, details } = response.body()
      assert.equal(detail, error.message)
      assert.deepEqual(details.errors, [{ rule: details.errors[0].rule, ...error }])
    }
    const reserved = await admin.post(`/api/applications/${code}/roles`, { code: 'a b' })
    const [{ message, meta }] = reserved.body().details.errors
    assert.match(message, /^code must be made of letters, digits/)
    assert.isString(meta.pattern)
  })

  test('name the missing part of an application', async ({ assert, client }) => {
    const { code } = await anApplication()
    const admin = superAdmin(client)
    for (const [path, what] of [
      [`/api/applications/${code}/roles/99999999`, 'Role 99999999'],
      [`/api/applications/${code}/permissions/99999999`, 'Permission 99999999'],
      [`/api/applications/${code}/entities/99999999`, 'Entity 99999999'],
      [`/api/admin/notifications/types/${code}/none`, 'Notification type none'],
      [`/api/admin/notifications/broadcast/${code}/99999999`, 'Broadcast 99999999'],
    ]) {
      const response = await admin.get(path)
      response.assertStatus(404)
      assert.equal(response.body().detail, `${what} does not exist in application ${code}`)
    }
  })

  test('state which access is missing', async ({ client }) => {
    const { code } = await anApplication()
    const person = signedIn(client, uniqueEmail())
    for (const [path, needs] of [
      [`/api/applications/${code}`, { application: code, level: 'view' }],
      ['/api/admin/brands', { anyApplication: true, level: 'view' }],
      ['/api/users', { anyApplication: true, level: 'edit' }],
      ['/api/users/admins', { superAdmin: true }],
    ] as const) {
      const response = await person.get(path)
      response.assertProblem(403, 'FORBIDDEN', { needs })
    }
  })
})
