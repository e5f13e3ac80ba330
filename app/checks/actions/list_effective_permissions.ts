import { readMemberStatus } from '#app/permissions/actions/read_member_status'
import { preferReplica } from '#core/database/servers/replica'
import { currentTime } from '#core/values/clock'
import { inTurns } from '#app/checks/actions/decide_in_turn'
import { judgeAll } from '#app/checks/actions/judge_all'
import { readAllFacts } from '#app/checks/actions/read_facts'
import { followedChanges } from '#app/checks/invalidation/followed_changes'
import type { EffectiveCheck } from '#app/checks/validators/check_request'
import { NO_ATTRIBUTES } from '#app/checks/values/attributes'
import { type Finding, findNow } from '#app/checks/values/finding'
import type { PermissionFacts } from '#app/checks/values/access_facts'

export interface EffectivePermission extends Finding {
  permission: PermissionFacts
}

/** Decides every permission of an application, ordered by group and code. Not cached. */
export function listEffectivePermissions(check: EffectiveCheck): Promise<EffectivePermission[]> {
  return preferReplica(followedChanges.required, () => decideEach(check))
}

async function decideEach({ scope, attributes = NO_ATTRIBUTES }: EffectiveCheck) {
  const now = currentTime()
  const facts = await readAllFacts(scope, now)
  const permissions = [...facts.permissions.values()]
  const judgements = await judgeAll(
    scope,
    permissions.map(({ code }) => code),
    facts
  )
  const circumstances = { given: attributes, now, level: undefined }
  const findings = await inTurns(judgements, (judgement, _, resultsOf) =>
    findNow(judgement, circumstances, resultsOf)
  )
  return permissions
    .map((permission, index) => ({ permission, ...findings[index] }))
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
