import type { Change } from '#core/audit/change'
import type Application from '#app/applications/models/application'
import type Role from '#app/permissions/models/role'
import type { AccessLevel } from '#app/permissions/values/access_level'
import { roleTarget } from '#app/permissions/values/audit_targets'

interface Grant {
  accessLevel: AccessLevel | null
  condition: string | null
}

/** What becomes of a permission of a role. Without a level, the role does not grant it. */
export interface GrantChange {
  roleId: number
  permissionId: number
  before: Grant
  after: Grant
}

interface Referenced {
  application: Application
  roles: Map<number, Role>
  permissions: ReadonlyMap<number, { code: string }>
}

/** For the audit trail: one entry per role, by the codes of its permissions that change. */
export function roleChanges(changes: GrantChange[], of: Referenced): Change[] {
  return [...Map.groupBy(changes, ({ roleId }) => roleId)].map(([roleId, ofRole]) => ({
    action: 'role.permissions_replaced',
    application: of.application,
    target: roleTarget(of.roles.get(roleId)!),
    before: stateOf(ofRole, 'before', of),
    after: stateOf(ofRole, 'after', of),
  }))
}

function stateOf(changes: GrantChange[], side: 'before' | 'after', { permissions }: Referenced) {
  return Object.fromEntries(
    changes.flatMap(({ permissionId, [side]: { accessLevel, condition } }) => {
      const { code } = permissions.get(permissionId)!
      return accessLevel === null ? [] : [[code, { accessLevel, condition }]]
    })
  )
}
