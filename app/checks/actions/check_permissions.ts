import { type AccessLevel, satisfies } from '#app/permissions/values/access_level'
import { currentTime } from '#core/values/clock'
import { checkCounter } from '#app/checks/check_counter'
import { decisions } from '#app/checks/decisions'
import { type Attributes, NO_ATTRIBUTES } from '#app/checks/values/attributes'
import { decideAll } from '#app/checks/actions/decide_all'
import type { CheckScope } from '#app/checks/values/check_scope'
import { decideNow } from '#app/checks/values/judgement'

export interface Check {
  scope: CheckScope
  permission: string
  level?: AccessLevel
  attributes?: Attributes
}

export async function checkPermission({
  scope,
  permission,
  level,
  attributes = NO_ATTRIBUTES,
}: Check) {
  const now = currentTime()
  const judgement =
    decisions.findCached(scope, permission, now) ??
    (await decisions.judge(scope, [permission], now))[0]
  const decision = decideNow(judgement, attributes, now)
  checkCounter.add(scope.app, [decision])
  return satisfies(decision.level, level)
}

export interface BulkCheck extends Omit<Check, 'permission'> {
  permissions: string[]
}

/** @returns an object without a prototype, so that a code can be `__proto__` */
export async function checkPermissions({
  scope,
  permissions,
  level,
  attributes = NO_ATTRIBUTES,
}: BulkCheck): Promise<Record<string, boolean>> {
  const now = currentTime()
  const judgements = await decisions.judge(scope, permissions, now)
  const decided = await decideAll(judgements, attributes, now)
  checkCounter.add(scope.app, decided)
  const allowed: Record<string, boolean> = Object.create(null)
  for (const [index, permission] of permissions.entries()) {
    allowed[permission] = satisfies(decided[index].level, level)
  }
  return allowed
}
