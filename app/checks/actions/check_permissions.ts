import { decisions } from '#app/checks/decisions'
import { type AccessLevel, satisfies } from '#app/permissions/values/access_level'
import type { CheckScope } from '#app/checks/values/check_scope'

/** Whether the user holds the permission, at the needed level if one is asked for. */
export async function checkPermission(scope: CheckScope, permission: string, level?: AccessLevel) {
  const decision =
    decisions.remembered(scope, permission) ?? (await decisions.decide(scope, [permission]))[0]
  return satisfies(decision.level, level)
}

/**
 * The same for many permissions, each on its own.
 *
 * @returns one own property per code, whatever the code is (`__proto__` too)
 */
export async function checkPermissions(
  scope: CheckScope,
  permissions: string[],
  level?: AccessLevel
): Promise<Record<string, boolean>> {
  const answers = await decisions.decide(scope, permissions)
  const allowed: Record<string, boolean> = Object.create(null)
  for (const [index, permission] of permissions.entries()) {
    allowed[permission] = satisfies(answers[index].level, level)
  }
  return allowed
}
