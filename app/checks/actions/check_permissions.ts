import { type AccessLevel, satisfies } from '#app/permissions/values/access_level'
import { inOwnCheckBudget } from '#core/database/work_budgets'
import { currentCaller } from '#core/http/current_caller'
import { BulkTurns } from '#core/values/bulk_turns'
import { currentTime } from '#core/values/clock'
import { checkCounter } from '#app/checks/check_counter'
import { decisionLog } from '#app/checks/decision_log'
import { decisions } from '#app/checks/decisions'
import { type Attributes, NO_ATTRIBUTES } from '#app/checks/values/attributes'
import { decideAll } from '#app/checks/actions/decide_in_turn'
import type { CheckScope } from '#app/checks/values/check_scope'
import type { Decision } from '#app/checks/values/decision'
import { type Judgement, isLimited } from '#app/checks/values/judgement'

const NONE: boolean[] = []
/** About 5 ms if none is cached. */
const PERMISSIONS_PER_TURN = 1_000

const bulkTurns = new BulkTurns(PERMISSIONS_PER_TURN)

export interface Check {
  scope: CheckScope
  permission: string
  level?: AccessLevel
  attributes?: Attributes
}

/** Called if a result may change without an access change, with the judgements behind it. */
export type OnLimited = (judgements: readonly Judgement[], now: number) => void

export async function checkPermission(check: Check, onLimited?: OnLimited): Promise<boolean> {
  return satisfies((await decidePermission(check, onLimited)).level, check.level)
}

/**
 * Checks a permission of whoever asks. Such checks of one user run one after another, but a cached
 * decision does not wait.
 *
 * @throws Overloaded if the check cannot start in time
 */
export async function checkOwnPermission(check: Check): Promise<boolean> {
  const { scope, permission } = check
  const isDecided = decisions.isDecided(scope, permission, currentTime())
  if (isDecided) return checkPermission(check)
  return inOwnCheckBudget(scope.email, () => checkPermission(check))
}

export async function decidePermission(
  { scope, permission, level, attributes = NO_ATTRIBUTES }: Check,
  onLimited?: OnLimited
): Promise<Decision> {
  const start = performance.now()
  const now = currentTime()
  const known = decisions.findCached(scope, permission, now)
  const judgement = known ?? (await decisions.judge(scope, [permission], now))[0]
  if (isLimited(judgement)) onLimited?.([judgement], now)
  const decision = judgement.decision ?? (await decideAll([judgement], attributes, now))[0]
  checkCounter.add(scope.app, [decision])
  if (decisionLog.isOn) {
    const duration = performance.now() - start
    decisionLog.add({ scope, permission, level, decision, cached: known !== undefined, duration })
  }
  return decision
}

export interface BulkCheck extends Omit<Check, 'permission'> {
  permissions: string[]
}

/** @returns an object without a prototype, so that a code can be `__proto__` */
export async function checkPermissions(
  { scope, permissions, level, attributes = NO_ATTRIBUTES }: BulkCheck,
  onLimited?: OnLimited
): Promise<Record<string, boolean>> {
  const start = performance.now()
  await bulkTurns.wait({ group: currentCaller(), member: scope.email }, permissions.length)
  const now = currentTime()
  const isCached = decisionLog.isOn ? decisions.areCached(scope, permissions, now) : NONE
  const judgements = await decisions.judge(scope, permissions, now)
  if (judgements.some(isLimited)) onLimited?.(judgements, now)
  const decided = await decideAll(judgements, attributes, now)
  checkCounter.add(scope.app, decided)
  if (decisionLog.isOn) {
    const duration = performance.now() - start
    for (const [index, permission] of permissions.entries()) {
      const [decision, cached] = [decided[index], isCached[index]]
      decisionLog.add({ scope, permission, level, decision, cached, duration })
    }
  }
  const allowed: Record<string, boolean> = Object.create(null)
  for (const [index, permission] of permissions.entries()) {
    allowed[permission] = satisfies(decided[index].level, level)
  }
  return allowed
}
