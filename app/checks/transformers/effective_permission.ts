import type { EffectivePermission } from '#app/checks/actions/list_effective_permissions'

/** See checks.md#effective-permission-fields, internal variant. */
export function internalEffectivePermission({ permission, decision }: EffectivePermission) {
  return {
    code: permission.code,
    type: permission.type,
    groupName: permission.groupName,
    accessLevel: decision.level,
    granted: decision.level !== null,
    source: decision.source,
  }
}

/** See checks.md#effective-permission-fields, user-scoped variant. */
export function ownEffectivePermission({ permission, decision }: EffectivePermission) {
  return {
    code: permission.code,
    type: permission.type,
    global: permission.global,
    accessLevel: decision.level,
    granted: decision.level !== null,
    source: decision.source ?? ('none' as const),
  }
}
