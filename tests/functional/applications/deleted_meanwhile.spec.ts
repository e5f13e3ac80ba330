import { test } from '@japa/runner'
import { manageApplication, overridesPath } from '#tests/helpers/management'
import { anApplication, superAdmin, uniqueEmail } from '#tests/helpers/people'

test.group('An application deleted while something is added to it', () => {
  test('late requests are refused with a problem, never an internal error', async ({
    client,
    assert,
  }) => {
    const admin = superAdmin(client)
    for (let round = 0; round < 5; round++) {
      const { code } = await anApplication()
      const manage = manageApplication(client, code)
      const [permission, role] = [await manage.permission(), await manage.role()]
      const path = `/api/applications/${code}`
      const email = uniqueEmail()
      const [deleted, ...others] = await Promise.all([
        admin.delete(path),
        admin.post(`${path}/permissions`, {
          code: 'late',
          type: 'binary',
          parentPermissionId: permission.id,
        }),
        admin.post(`${path}/roles`, { code: 'late' }),
        admin.post(`${path}/entities`, { code: 'late', name: 'Late' }),
        admin.post(`${path}/instances`, { name: 'Late', baseUrl: 'https://late.example' }),
        admin.put(`${path}/brands`, ['default']),
        admin.put(`${path}/roles/${role.id}/permissions`, {
          permissions: [{ permissionId: permission.id, accessLevel: 'allowed' }],
        }),
        admin.post(`/api/users/admins/apps/${code}`, { email }),
        admin.put(`/api/users/${email}/apps/${code}/roles`, { roleIds: [role.id] }),
        admin.put(overridesPath(email, code, 'doc', '1'), {
          permissions: [{ permissionId: permission.id, granted: true }],
        }),
      ])
      deleted.assertStatus(204)
      // 400: the application still existed, but the permission or role in the body did not.
      for (const response of others) assert.oneOf(response.status(), [200, 201, 400, 404])
      const gone = await admin.get(path)
      gone.assertProblem(404, 'APPLICATION_NOT_FOUND')
    }
  })
})
