import { test } from '@japa/runner'
import AuditEntry from '#app/audit/models/audit_entry'
import { manageApplication } from '#tests/helpers/management'
import { anApplication, superAdmin } from '#tests/helpers/people'

const stateAfter = async (application: string, action: string) => {
  const entry = await AuditEntry.findBy({ application, action })
  return JSON.parse(entry?.stateAfter ?? '{}')
}

test.group('An audit entry', () => {
  test('shows a permission that is called like a timestamp', async ({ assert, client }) => {
    const { code } = await anApplication()
    const manage = manageApplication(client, code)
    const role = await manage.role()
    const { id: permissionId } = await manage.permission({ code: 'updatedAt' })
    await manage.rolePermissions(role.id, [{ permissionId, accessLevel: 'allowed' }])
    assert.property(await stateAfter(code, 'role.permissions_replaced'), 'updatedAt')
  })

  for (const resourceId of ['createdAt', 'constructor', '__proto__', 'toJSON']) {
    test(`shows a resource that is called ${resourceId}`, async ({ assert, client }) => {
      const { code } = await anApplication()
      const { id } = await manageApplication(client, code).entity()
      const path = `/api/applications/${code}/entities/${id}/resources`
      const saved = await superAdmin(client).put(path, { resources: [{ resourceId }] })
      saved.assertStatus(200)
      assert.include(Object.keys(await stateAfter(code, 'resources.saved')), resourceId)
    })
  }
})
