import { readMemberStatus } from '#app/permissions/actions/read_member_status'
import { currentTime } from '#core/values/clock'
import { decideAll } from '#app/checks/actions/decide_all'
import { judgeAll } from '#app/checks/actions/judge_all'
import { readAllFacts } from '#app/checks/actions/read_facts'
import type { EffectiveCheck } from '#app/checks/validators/check_request'
import { NO_ATTRIBUTES } from '#app/checks/values/attributes'
import type { Decision } from '#app/checks/values/decision'
import type { PermissionFacts } from '#app/checks/values/access_facts'

export interface EffectivePermission {
  permission: PermissionFacts
  decision: Decision
}

/** Decides every permission of an application, ordered by group and code. Not cached. */
export async function listEffectivePermissions({
  scope,
  attributes = NO_ATTRIBUTES,
}: EffectiveCheck): Promise<EffectivePermission[]> {
  const now = currentTime()
  const facts = await readAllFacts(scope, now)
  const permissions = [...facts.permissions.values()]
  const judgements = await judgeAll(
    scope,
    permissions.map(({ code }) => code),
    facts
  )
  const decisions = await decideAll(judgements, attributes, now)
  return permissions
    .map((permission, index) => ({ permission, decision: decisions[index] }))
    .sort(byGroupAndCode)
}

/** For the user themselves; empty for an application that is hidden from them. */
export async function listOwnPermissions(check: EffectiveCheck): Promise<EffectivePermission[]> {
  const { scope } = check
  const permissions = await listEffectivePermissions(check)
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
