import { type AccessLevel, type PermissionType, rankOf } from '#app/permissions/values/access_level'

/** The stored data that decides one permission of a user on a resource. */
export interface PermissionFacts {
  code: string
  type: PermissionType
  global: boolean
  groupName: string | null
  /** The highest level that roles grant without a condition. */
  roleLevel: AccessLevel | null
  /** What roles grant under conditions, highest level first. */
  conditionalGrants: ConditionalGrant[]
  /** The one on the resource of the check. */
  override: OverrideFacts | null
}

export interface ConditionalGrant {
  level: AccessLevel
  /** In CEL. */
  condition: string
}

/** In the order of `readFacts`, because the first conditions can use up the cost limit. */
export function byLevelAndCondition(a: ConditionalGrant, b: ConditionalGrant): number {
  return rankOf(b.level) - rankOf(a.level) || (a.condition < b.condition ? -1 : 1)
}

export interface OverrideFacts {
  granted: boolean
  level: AccessLevel | null
  /** In CEL; null for an override that always counts. */
  condition: string | null
}

/** Contains only rows that were in their time windows when they were read. */
export interface AccessFacts {
  /** Null if there is no user record. */
  active: boolean | null
  superAdmin: boolean
  applicationAdmin: boolean
  permissions: Map<string, PermissionFacts>
  /** When they were read, in milliseconds. */
  from: number
  /** When a time window begins or ends next, in milliseconds; infinite if never. */
  until: number
}
