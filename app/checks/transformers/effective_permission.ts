import type { EffectivePermission } from '#app/checks/actions/list_effective_permissions'

/** Specification 2.10, internal variant. */
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

/** Specification 2.10, user-scoped variant. */
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
