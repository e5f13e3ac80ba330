import type { AccessLevel } from '#app/permissions/values/access_level'
import { CONDITIONS, type Circumstances } from '#tests/helpers/access_conditions'
import {
  ALWAYS,
  type AccessWorld,
  type WorldPermission,
  type WorldScope,
  type WorldWindow,
} from '#tests/helpers/access_world'

export interface Verdict {
  allowed: boolean
  level: AccessLevel | null
  source: 'role' | 'override' | 'app_admin' | 'superadmin' | null
  rule: number
}

export interface JudgedPermission {
  permission: WorldPermission
  verdict: Verdict
}

/**
 * A naive implementation of checks.md#evaluation-order that shares nothing with the service but
 * the names of the levels.
 */
export function expectedVerdict(
  world: AccessWorld,
  scope: WorldScope,
  permission: string,
  circumstances: Circumstances = {}
): Verdict {
  const now = circumstances.now ?? Date.now()
  const isActive = ({ window: { from, until } = ALWAYS }: { window?: WorldWindow }) =>
    (from === null || from <= now) && (until === null || now < until)
  const { email, app, resourceType, resourceId } = scope
  const hasResource = resourceType !== undefined && resourceId !== undefined
  const id = hasResource ? resourceId : ''
  const asked = { email, permission, resourceId: circumstances.unnamed ? undefined : id }
  const known = { ...circumstances, attributes: withCatalog(world, scope, circumstances) }
  const isTrue = (condition: string | null | undefined, whenUnknown: boolean) =>
    !condition ||
    (CONDITIONS[condition](asked, known) ?? circumstances.assumed?.get(condition) ?? whenUnknown)
  const defined = world.permissions.find((row) => row.app === app && row.code === permission)

  // 1. User record exists and `active` is false: denied.
  if (world.users.some((user) => user.email === email && user.active === false)) return denied(1)

  // 2. User is a super admin: allowed with access level `edit`.
  if (world.superAdmins.includes(email)) return allowed('edit', 'superadmin', 2)

  // 3. Application admin of the application: allowed, with `edit` if tiered, `allowed` if binary.
  if (
    world.applicationAdmins.some((row) => row.email === email && row.app === app && isActive(row))
  ) {
    return allowed(defined?.type === 'binary' ? 'allowed' : 'edit', 'app_admin', 3)
  }

  // 4. If both resource fields are given: an override decides, except for global permissions.
  if (hasResource && defined?.global === false) {
    for (const row of world.overrides) {
      if (row.email !== email || row.app !== app || row.permission !== permission) continue
      if (row.resourceType !== resourceType || row.resourceId !== resourceId) continue
      if (!isActive(row) || !isTrue(row.condition, !row.granted)) continue
      if (!row.granted) return denied(4)
      // See permissions.md#level-of-an-override.
      const level = row.level ?? (defined.type === 'tiered' ? 'edit' : 'allowed')
      return allowed(level, 'override', 4)
    }
  }

  // 5. The roles of the user: the highest level counts, `edit` before `view` before `allowed`.
  const levels = world.userRoles
    .filter((row) => row.email === email && row.app === app && isActive(row))
    .flatMap(({ role }) =>
      world.rolePermissions.filter(
        (row) => row.app === app && row.role === role && row.permission === permission
      )
    )
    .filter((row) => isTrue(row.condition, false))
    .map((row) => row.level)
  for (const level of ['edit', 'view', 'allowed'] as const) {
    if (levels.includes(level)) return allowed(level, 'role', 5)
  }

  // 6. Otherwise denied.
  return denied(6)
}

/** Properties of the catalog lie under those that are given. */
function withCatalog(
  world: AccessWorld,
  { app, resourceType, resourceId }: WorldScope,
  { attributes }: Circumstances
) {
  const stored = world.catalog.find(
    (row) => row.app === app && row.resourceType === resourceType && row.resourceId === resourceId
  )
  return { ...attributes, resource: { ...stored?.properties, ...attributes?.resource } }
}

/** `edit` satisfies `view`; without a required level, any level does. */
export function meets({ level }: Verdict, needed: AccessLevel | undefined): boolean {
  if (level === null) return false
  if (needed === undefined || needed === level) return true
  return level === 'edit' || (level === 'view' && needed === 'allowed')
}

/** Ordered by group and code. */
export function expectedVerdicts(
  world: AccessWorld,
  scope: WorldScope,
  circumstances: Circumstances = {}
): JudgedPermission[] {
  return world.permissions
    .filter(({ app }) => app === scope.app)
    .map((permission) => ({
      permission,
      verdict: expectedVerdict(world, scope, permission.code, circumstances),
    }))
    .sort(({ permission: a }, { permission: b }) => (orderKey(a) < orderKey(b) ? -1 : 1))
}

function orderKey({ groupName, code }: WorldPermission) {
  return `${groupName ?? ''}\n${code}`
}

function allowed(level: AccessLevel, source: Verdict['source'], rule: number): Verdict {
  return { allowed: true, level, source, rule }
}

function denied(rule: number): Verdict {
  return { allowed: false, level: null, source: null, rule }
}
