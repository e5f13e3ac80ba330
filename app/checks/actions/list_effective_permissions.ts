import { readMemberStatus } from '#app/permissions/actions/read_member_status'
import { evaluate } from '#app/checks/evaluate'
import { readAllFacts } from '#app/checks/actions/read_facts'
import type { CheckScope } from '#app/checks/values/check_scope'
import type { Decision } from '#app/checks/values/decision'
import type { PermissionFacts } from '#app/checks/values/access_facts'

export interface EffectivePermission {
  permission: PermissionFacts
  decision: Decision
}

/** Decides every permission of an application, ordered by group and code. Not cached. */
export async function listEffectivePermissions(scope: CheckScope): Promise<EffectivePermission[]> {
  const facts = await readAllFacts(scope)
  return [...facts.permissions.values()]
    .map((permission) => ({ permission, decision: evaluate(facts, permission.code) }))
    .sort(byGroupAndCode)
}

/** For the person themselves; empty for an application that is hidden from them. */
export async function listOwnPermissions(scope: CheckScope): Promise<EffectivePermission[]> {
  const permissions = await listEffectivePermissions(scope)
  if (permissions.some(({ decision }) => decision.level !== null)) return permissions
  const status = await readMemberStatus(scope.email, scope.app)
  return status && (status.isOpen || status.hasGrant) ? permissions : []
}

function byGroupAndCode(
  { permission: a }: EffectivePermission,
  { permission: b }: EffectivePermission
) {
  return compare(a.groupName ?? '', b.groupName ?? '') || compare(a.code, b.code)
}

function compare(a: string, b: string) {
  return a < b ? -1 : Number(a > b)
}
