import { decisions } from '#app/checks/decisions'
import { type AccessLevel, satisfies } from '#app/permissions/values/access_level'
import type { CheckScope } from '#app/checks/values/check_scope'

export async function checkPermission(scope: CheckScope, permission: string, level?: AccessLevel) {
  const decision =
    decisions.findCached(scope, permission) ?? (await decisions.decide(scope, [permission]))[0]
  return satisfies(decision.level, level)
}

/** @returns an object without a prototype, so that a code can be `__proto__` */
export async function checkPermissions(
  scope: CheckScope,
  permissions: string[],
  level?: AccessLevel
): Promise<Record<string, boolean>> {
  const found = await decisions.decide(scope, permissions)
  const allowed: Record<string, boolean> = Object.create(null)
  for (const [index, permission] of permissions.entries()) {
    allowed[permission] = satisfies(found[index].level, level)
  }
  return allowed
}
