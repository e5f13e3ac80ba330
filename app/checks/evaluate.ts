import { highestLevel } from '#app/permissions/values/access_level'
import type { AccessFacts, PermissionFacts } from '#app/checks/values/access_facts'
import {
  type Decision,
  INACTIVE,
  NOTHING_GRANTS,
  OVERRIDE_DENIES,
  SUPER_ADMIN,
} from '#app/checks/values/decision'

/**
 * Decides one permission from the stored facts: the six rules of checks.md#evaluation-order in their order, the only place
 * where they are written. A permission that is not defined may still be allowed, by rules 2 and 3.
 */
export function evaluate(facts: AccessFacts, permission: string): Decision {
  const known = facts.permissions.get(permission)
  const decision = decide(facts, known)
  return known ? decision : { ...decision, undefinedPermission: true }
}

function decide(facts: AccessFacts, known: PermissionFacts | undefined): Decision {
  if (facts.active === false) return INACTIVE
  if (facts.superAdmin) return SUPER_ADMIN
  if (facts.applicationAdmin) return administratorDecision(known)
  if (!known) return NOTHING_GRANTS
  if (known.override) return overrideDecision(known, known.override)
  if (known.roleLevel) return { level: known.roleLevel, source: 'role', decidedBy: 5 }
  return NOTHING_GRANTS
}

function administratorDecision(known: PermissionFacts | undefined): Decision {
  return { level: known ? highestLevel(known.type) : 'edit', source: 'app_admin', decidedBy: 3 }
}

function overrideDecision(
  { type }: PermissionFacts,
  { granted, level }: NonNullable<PermissionFacts['override']>
): Decision {
  if (!granted) return OVERRIDE_DENIES
  return { level: level ?? highestLevel(type), source: 'override', decidedBy: 4 }
}
