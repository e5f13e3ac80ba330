import type { MatrixPermission, MatrixRole, StoredMatrix } from '@/queries/matrix'

export type Level = 'none' | 'view' | 'edit' | 'allowed'

/** Names the cell of a role and a permission. */
export type CellKey = `${number}:${number}`

export type Levels = ReadonlyMap<CellKey, Level>

export const cellKey = (roleId: number, permissionId: number): CellKey =>
  `${roleId}:${permissionId}`

export function idsOf(key: CellKey) {
  const [roleId, permissionId] = key.split(':').map(Number)
  return { roleId: roleId!, permissionId: permissionId! }
}

/** The levels that a permission can have, from none to full. */
export const levelsOf = ({ type }: MatrixPermission): Level[] =>
  type === 'tiered' ? ['none', 'view', 'edit'] : ['none', 'allowed']

/** What a role, a group or a whole row is set to. */
export type Fill = 'none' | 'view' | 'full'

/** The level that a fill means for a permission; null if it does not apply to it. */
export function levelOfFill(permission: MatrixPermission, fill: Fill): Level | null {
  if (fill === 'full') return levelsOf(permission).at(-1)!
  return levelsOf(permission).includes(fill) ? fill : null
}

/** A line of the matrix. */
export type Line =
  | { kind: 'group'; name: string; permissions: MatrixPermission[] }
  | { kind: 'permission'; permission: MatrixPermission }

/** Permissions by group, each with its heading; no headings if nothing has a group. */
export function linesOf(permissions: MatrixPermission[]): Line[] {
  const groups = Map.groupBy(permissions, ({ groupName }) => groupName ?? '')
  const names = [...groups.keys()].toSorted((a, b) => Number(!a) - Number(!b) || a.localeCompare(b))
  return names.flatMap((name) => {
    const members = groups.get(name)!.toSorted((a, b) => a.code.localeCompare(b.code))
    const lines = members.map((permission): Line => ({ kind: 'permission', permission }))
    const hasHeading = names.length > 1 || name !== ''
    return hasHeading ? [{ kind: 'group', name, permissions: members }, ...lines] : lines
  })
}

export function storedLevels({ grants }: StoredMatrix): Levels {
  return new Map(
    grants.map(({ roleId, permissionId, accessLevel }) => [
      cellKey(roleId, permissionId),
      accessLevel,
    ])
  )
}

/** The conditions of the cells that have one. */
export type Conditions = ReadonlyMap<CellKey, string>

export function storedConditions({ grants }: StoredMatrix): Conditions {
  return new Map(
    grants.flatMap(({ roleId, permissionId, condition }) =>
      condition === null ? [] : [[cellKey(roleId, permissionId), condition] as const]
    )
  )
}

/** More cells than this are not drawn at once; the filters show the others. */
const MAX_CELLS = 20_000
const MAX_ROLES = 100

/** As many roles and permissions as a browser draws at ease. */
export function bounded(roles: MatrixRole[], permissions: MatrixPermission[]) {
  const shownRoles = roles.slice(0, MAX_ROLES)
  const most = Math.floor(MAX_CELLS / Math.max(shownRoles.length, 1))
  const shownPermissions = permissions.slice(0, most)
  return {
    roles: shownRoles,
    permissions: shownPermissions,
    isCut: shownRoles.length < roles.length || shownPermissions.length < permissions.length,
  }
}
