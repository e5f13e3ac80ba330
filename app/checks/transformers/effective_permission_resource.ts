import type { EffectivePermission } from '#app/checks/actions/list_effective_permissions'

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
