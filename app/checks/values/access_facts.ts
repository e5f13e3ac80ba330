import type { AccessLevel, PermissionType } from '#app/permissions/values/access_level'

/** The stored data that decides one permission of a user on a resource. */
export interface PermissionFacts {
  code: string
  type: PermissionType
  global: boolean
  groupName: string | null
  roleLevel: AccessLevel | null
  /** The one on the resource of the check. */
  override: { granted: boolean; level: AccessLevel | null } | null
}

export interface AccessFacts {
  /** Null if there is no user record. */
  active: boolean | null
  superAdmin: boolean
  applicationAdmin: boolean
  permissions: Map<string, PermissionFacts>
}
