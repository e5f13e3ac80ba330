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
 * Decides one permission by the six rules of checks.md#evaluation-order. Rules 2 and 3 allow even a
 * permission that is not defined.
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
  if (known.override && !ignoresOverrides(known)) return overrideDecision(known, known.override)
  if (known.roleLevel) return { level: known.roleLevel, source: 'role', decidedBy: 5 }
  return NOTHING_GRANTS
}

/** See permissions.md#global-permissions. */
export function ignoresOverrides({ global }: Pick<PermissionFacts, 'global'>): boolean {
  return global
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
