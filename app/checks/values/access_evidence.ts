import { satisfies } from '#app/permissions/values/access_level'
import type { AccessLevel, PermissionType } from '#app/permissions/values/access_level'
import type { AccessFacts } from '#app/checks/values/access_facts'
import type { CheckScope } from '#app/checks/values/check_scope'

/** The stored rows that one question rests on, each null when there is none, and the roles that could matter. */
export interface AccessEvidence {
  scope: CheckScope
  permission: string
  user: { id: number; active: boolean } | null
  superAdmin: { id: number } | null
  /** `knowsResourceType`: whether an override on the asked type of resource could be made. */
  application: { id: number; knowsResourceType: boolean } | null
  applicationAdmin: { id: number } | null
  definition: { id: number; type: PermissionType; global: boolean } | null
  override: { id: number; granted: boolean; level: AccessLevel | null } | null
  /** The user's roles in the application, and those of others that give the permission; highest level first. */
  roles: RoleEvidence[]
}

export interface RoleEvidence {
  id: number
  code: string
  /** At which level it gives the permission; null when it does not. */
  level: AccessLevel | null
  /** Id of its assignment to the user; null for a role the user does not have. */
  assignmentId: number | null
}

/** The same as the evaluation reads it. */
export function factsOf(evidence: AccessEvidence): AccessFacts {
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

/**
 * The same for an application that does not exist: only what concerns the person themself is left.
 */
export function asIfUnknown(evidence: AccessEvidence): AccessEvidence {
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
