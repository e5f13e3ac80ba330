import type { ApiClient } from '@japa/api-client'
import { bound, saveResources } from '#tests/helpers/authzen'
import { manageApplication } from '#tests/helpers/management'
import { anApplication, uniqueEmail } from '#tests/helpers/people'

const ARCHIVED = 'resource.properties.status == "archived"'

/**
 * The fixture of the working group's certification scenario, loaded by the API: subjects known by
 * `sub`, catalogued records, and conditions on the properties that requests carry.
 */
export async function certificationFixture(client: ApiClient) {
  const { code } = await anApplication()
  const manage = manageApplication(client, code)
  const entity = await manage.entity({ code: 'record', name: 'Record' })
  await saveResources(client, code, entity.id, [
    { resourceId: 'record-1', properties: { status: 'active' } },
    { resourceId: 'record-2', properties: { status: 'archived' } },
  ])
  const [read, write, remove] = await Promise.all(
    ['read', 'write', 'delete'].map((name) => manage.permission({ code: name }))
  )
  const roleWith = async (...grants: object[]) => {
    const role = await manage.role()
    const permissions = grants.map((grant) => ({ accessLevel: 'allowed', ...grant }))
    await manage.rolePermissions(role.id, permissions)
    return role.id as number
  }
  const member = await roleWith(
    { permissionId: read.id },
    { permissionId: write.id, condition: `subject.properties.role == "admin" && ${ARCHIVED}` }
  )
  const writer = await roleWith(
    { permissionId: write.id, condition: `!(${ARCHIVED})` },
    { permissionId: remove.id, condition: 'action.properties.soft == true' }
  )
  const archivist = await roleWith({ permissionId: write.id, condition: ARCHIVED })
  const emails = { alice: uniqueEmail('alice'), bob: uniqueEmail('bob') }
  await manage.userRoles(emails.alice, [member, writer])
  await manage.userRoles(emails.bob, [member, archivist])
  return {
    code,
    alice: await bound(client, emails.alice),
    bob: await bound(client, emails.bob),
  }
}
