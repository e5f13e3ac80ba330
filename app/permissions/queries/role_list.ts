import type Application from '#app/applications/models/application'
import Role from '#app/permissions/models/role'

export interface ListedRole {
  role: Role
  /** People who have the role. */
  userCount: number
  permissionCount: number
}

export async function listRoles(application: Application): Promise<ListedRole[]> {
  const roles = await Role.query()
    .where('applicationId', application.id)
    .withCount('assignments')
    .withCount('grants')
    .orderBy('id')
  return roles.map((role) => ({
    role,
    userCount: Number(role.$extras.assignments_count),
    permissionCount: Number(role.$extras.grants_count),
  }))
}
