import { satisfies } from '#app/permissions/values/access_level'
import type { AccessLevel, PermissionType } from '#app/permissions/values/access_level'
import type { AccessFacts } from '#app/checks/values/access_facts'
import type { CheckScope } from '#app/checks/values/check_scope'

/** The stored rows that decide one check; null if there is none. */
export interface AccessEvidence {
  scope: CheckScope
  permission: string
  user: { id: number; active: boolean } | null
  superAdmin: { id: number } | null
  /** `knowsResourceType`: whether overrides on the resource type of the check are possible. */
  application: { id: number; knowsResourceType: boolean } | null
  applicationAdmin: { id: number } | null
  definition: { id: number; type: PermissionType; global: boolean } | null
  override: { id: number; granted: boolean; level: AccessLevel | null } | null
  /** Roles that the user has or that grant the permission, highest level first. */
  roles: RoleEvidence[]
}

export interface RoleEvidence {
  id: number
  code: string
  /** The level at which the role grants the permission; null if it does not. */
  level: AccessLevel | null
  /** Null if the user does not have the role. */
  assignmentId: number | null
}

export function factsFromEvidence(evidence: AccessEvidence): AccessFacts {
  const { permission, definition, override, roles } = evidence
  const levels = roles.filter(({ assignmentId }) => assignmentId !== null).map(({ level }) => level)
  return {
    active: evidence.user && evidence.user.active,
    superAdmin: evidence.superAdmin !== null,
    applicationAdmin: evidence.applicationAdmin !== null,
    permissions: new Map(
      definition && [
        [
          permission,
          {
            code: permission,
            type: definition.type,
            global: definition.global,
            groupName: null,
            roleLevel: levels.reduce(higher, null),
            override,
          },
        ],
      ]
    ),
  }
}

/** Removes everything about the application, as if it did not exist. */
export function redactApplication(evidence: AccessEvidence): AccessEvidence {
  return {
    ...evidence,
    application: null,
    applicationAdmin: null,
    definition: null,
    override: null,
    roles: [],
  }
}

function higher(a: AccessLevel | null, b: AccessLevel | null) {
  return b !== null && !satisfies(a, b) ? b : a
}
