import type { AuditState } from '#core/audit/change'
import type ResourceOverride from '#app/permissions/models/resource_override'
import type { Grant } from '#app/permissions/queries/read_grants'
import { type TimeWindow, windowResource } from '#app/permissions/values/time_window'

interface AssignedRole extends TimeWindow {
  role: { code: string }
}

/** What a user holds in an application, by the code of the role. */
export function userRolesState(assignments: AssignedRole[]): AuditState {
  return Object.fromEntries(assignments.map((row) => [row.role.code, windowFields(row)]))
}

/** What a role grants, by the code of the permission. */
export function rolePermissionsState(grants: Grant[]): AuditState {
  return Object.fromEntries(
    grants.map(({ permission, accessLevel, condition }) => {
      return [permission.code, { accessLevel, condition }]
    })
  )
}

interface Resource {
  resourceType: string
  resourceId: string
}

interface OverrideState
  extends TimeWindow, Pick<ResourceOverride, 'granted' | 'accessLevel' | 'condition'> {
  permission: { code: string }
}

/** What a user may do on a resource apart from roles. Expects `permission` to be loaded. */
export function overridesState(
  { resourceType, resourceId }: Resource,
  overrides: OverrideState[]
): AuditState {
  const byPermission = overrides.map((override) => {
    const { permission, granted, accessLevel, condition } = override
    return [permission.code, { granted, accessLevel, condition, ...windowFields(override) }]
  })
  return { [`${resourceType}/${resourceId}`]: Object.fromEntries(byPermission) }
}

/** Without its state, which changes by itself. */
export function windowFields(row: TimeWindow) {
  const { validFrom, validUntil } = windowResource(row)
  return { validFrom, validUntil }
}
