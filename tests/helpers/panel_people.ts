import type { ApiClient } from '@japa/api-client'
import { manageApplication } from '#tests/helpers/management'
import { superAdmin, uniqueEmail } from '#tests/helpers/people'

type Level = 'view' | 'edit' | 'deny'

/**
 * A new person with panel access and levels for applications by code. `globally` adds a level for
 * all applications.
 */
export async function panelPerson(
  client: ApiClient,
  levels: Record<string, Level>,
  { globally }: { globally?: 'view' | 'edit' } = {}
): Promise<string> {
  const email = uniqueEmail('panel')
  const panel = manageApplication(client, 'auth')
  const permissionId = await idOf(client, 'permissions', 'applications.manage')
  const roles = [await idOf(client, 'roles', 'application_manager')]
  if (globally) {
    const role = await panel.role()
    await panel.rolePermissions(role.id, [{ permissionId, accessLevel: globally }])
    roles.push(role.id)
  }
  await panel.userRoles(email, roles)
  for (const [appCode, level] of Object.entries(levels)) {
    const item = level === 'deny' ? { granted: false } : { granted: true, accessLevel: level }
    await panel.overrides(email, ['application', appCode], [{ permissionId, ...item }])
  }
  return email
}

export async function idOf(client: ApiClient, kind: 'permissions' | 'roles', code: string) {
  const response = await superAdmin(client).get(`/api/applications/auth/${kind}`)
  const found = response.body().data.find((item: { code: string }) => item.code === code)
  return found.id as number
}
