import { highestLevel, satisfies } from '#app/permissions/values/access_level'
import type { AccessFacts, OverrideFacts, PermissionFacts } from '#app/checks/values/access_facts'
import {
  type Decision,
  INACTIVE,
  NOTHING_GRANTS,
  OVERRIDE_DENIES,
  SUPER_ADMIN,
} from '#app/checks/values/decision'

/** Whether a condition holds. One that cannot be evaluated holds for denials only. */
export type Holds = (condition: string, effect: 'grant' | 'deny') => boolean

/** Without attributes, no condition can be evaluated. */
const WITHOUT_ATTRIBUTES: Holds = (_, effect) => effect === 'deny'

/**
 * Decides one permission by the six rules of checks.md#evaluation-order. Rules 2 and 3 allow even a
 * permission that is not defined.
 */
export function evaluate(
  facts: AccessFacts,
  permission: string,
  holds: Holds = WITHOUT_ATTRIBUTES
): Decision {
  const known = facts.permissions.get(permission)
  const decision = decide(facts, known, holds)
  return known ? decision : { ...decision, undefinedPermission: true }
}

function decide(facts: AccessFacts, known: PermissionFacts | undefined, holds: Holds): Decision {
  if (facts.active === false) return INACTIVE
  if (facts.superAdmin) return SUPER_ADMIN
  if (facts.applicationAdmin) return administratorDecision(known)
  if (!known) return NOTHING_GRANTS
  if (known.override && !ignoresOverrides(known) && overrideHolds(known.override, holds)) {
    return overrideDecision(known, known.override)
  }
  const level = roleLevel(known, holds)
  return level ? { level, source: 'role', decidedBy: 5 } : NOTHING_GRANTS
}

/** See permissions.md#global-permissions. */
export function ignoresOverrides({ global }: Pick<PermissionFacts, 'global'>): boolean {
  return global
}

function administratorDecision(known: PermissionFacts | undefined): Decision {
  return { level: known ? highestLevel(known.type) : 'edit', source: 'app_admin', decidedBy: 3 }
}

function overrideHolds({ condition, granted }: OverrideFacts, holds: Holds): boolean {
  return condition === null || holds(condition, granted ? 'grant' : 'deny')
}

function overrideDecision({ type }: PermissionFacts, { granted, level }: OverrideFacts): Decision {
  if (!granted) return OVERRIDE_DENIES
  return { level: level ?? highestLevel(type), source: 'override', decidedBy: 4 }
}

/** Conditions matter only where they would raise the level. */
function roleLevel({ roleLevel: sure, conditionalGrants }: PermissionFacts, holds: Holds) {
  const better = conditionalGrants.filter(({ level }) => !satisfies(sure, level))
  const best = better.find(({ condition }) => holds(condition, 'grant'))
  return best?.level ?? sure
}
