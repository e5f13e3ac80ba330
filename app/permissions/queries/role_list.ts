import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type Application from '#app/applications/models/application'
import Role from '#app/permissions/models/role'

export interface ListedRole {
  role: Role
  /** Users who have the role. */
  userCount: number
  permissionCount: number
}

/** The columns that a search covers. */
export const ROLE_TEXTS = ['code', 'name', 'description']

/** For `withCounts`. */
export function rolesOf({ id }: Application, client?: TransactionClientContract) {
  return Role.query({ client })
    .where('applicationId', id)
    .withCount('assignments')
    .withCount('grants')
}

export function withCounts(role: Role): ListedRole {
  return {
    role,
    userCount: Number(role.$extras.assignments_count),
    permissionCount: Number(role.$extras.grants_count),
  }
}
