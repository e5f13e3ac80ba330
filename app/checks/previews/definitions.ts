import type { PermissionType } from '#app/permissions/values/access_level'

/** What an application defines: its permissions, and what its roles grant. */
export interface Definitions {
  permissions: Map<number, DefinedPermission>
  byCode: Map<string, DefinedPermission>
  /** By the id of the role. */
  grants: Map<number, RoleGrant[]>
}

export interface DefinedPermission {
  id: number
  code: string
  type: PermissionType
  global: boolean
}

export interface RoleGrant {
  permissionId: number
  /** See `rankOf`. */
  rank: number
  condition: string | null
}

/** What makes decisions differ even for users whose own rows do not change. */
export interface Differences {
  roleIds: number[]
  /** Permissions that are defined differently, or no longer. */
  permissionIds: number[]
  /** Permissions that these roles grant differently, and those above. */
  concerned: number[]
  /** Whether administrators hold another level of a permission. */
  concernsAdministrators: boolean
}

export function compareDefinitions(before: Definitions, after: Definitions): Differences {
  const changed = new Set(
    idsOf(before.permissions, after.permissions).filter(
      (id) => !isSamePermission(before.permissions.get(id), after.permissions.get(id))
    )
  )
  const concerned = new Set(changed)
  const roleIds = idsOf(before.grants, after.grants).filter((id) => {
    const different = differentGrants(before.grants.get(id) ?? [], after.grants.get(id) ?? [])
    for (const permissionId of different) concerned.add(permissionId)
    return different.length > 0 || grantsAny(changed, before.grants.get(id))
  })
  return {
    roleIds,
    permissionIds: [...changed],
    concerned: [...concerned],
    concernsAdministrators: changed.size > 0,
  }
}

function idsOf(before: Map<number, unknown>, after: Map<number, unknown>): number[] {
  return [...new Set([...before.keys(), ...after.keys()])]
}

function isSamePermission(a: DefinedPermission | undefined, b: DefinedPermission | undefined) {
  return a?.code === b?.code && a?.type === b?.type && a?.global === b?.global
}

/** The permissions that two sets grant differently. */
function differentGrants(before: RoleGrant[], after: RoleGrant[]): number[] {
  const left = new Map(before.map((grant) => [grant.permissionId, grant]))
  const different: number[] = []
  for (const { permissionId, rank, condition } of after) {
    const former = left.get(permissionId)
    left.delete(permissionId)
    if (former?.rank !== rank || former.condition !== condition) different.push(permissionId)
  }
  return [...different, ...left.keys()]
}

function grantsAny(permissionIds: Set<number>, grants: RoleGrant[] = []): boolean {
  return grants.some(({ permissionId }) => permissionIds.has(permissionId))
}
