import type { AccessLevel, PermissionType } from '#app/permissions/values/access_level'

/** What is stored about one permission of the application, for one user and one resource. */
export interface PermissionFacts {
  code: string
  type: PermissionType
  global: boolean
  groupName: string | null
  /** Highest level over the user's roles. */
  roleLevel: AccessLevel | null
  /** The override on the asked resource; null also for permissions that are global. */
  override: { granted: boolean; level: AccessLevel | null } | null
}

/** Everything the evaluation rests on, read in one query. */
export interface AccessFacts {
  /** Null when there is no user record. */
  active: boolean | null
  superAdmin: boolean
  applicationAdmin: boolean
  permissions: Map<string, PermissionFacts>
}
