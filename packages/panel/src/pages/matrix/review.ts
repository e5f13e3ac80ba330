import { type CellKey, type Level, type Levels, cellKey, idsOf } from '@/pages/matrix/cells'
import type { Draft } from '@/pages/matrix/draft'
import type { MatrixChange, MatrixPermission, MatrixRole, StoredMatrix } from '@/queries/matrix'

export interface ChangedCell {
  key: CellKey
  permission: MatrixPermission
  before: Level
  level: Level
}

export interface ChangesOfRole {
  role: MatrixRole
  cells: ChangedCell[]
}

/** What a draft changes, in the order of the matrix. */
export function changesByRole(
  { roles, permissions }: StoredMatrix,
  stored: Levels,
  draft: Draft
): ChangesOfRole[] {
  const byRole = Map.groupBy(draft.cells.keys(), (key) => idsOf(key).roleId)
  const byId = new Map(permissions.map((permission) => [permission.id, permission]))
  return roles.flatMap((role) => {
    const cells = (byRole.get(role.id) ?? []).flatMap((key): ChangedCell[] => {
      const permission = byId.get(idsOf(key).permissionId)
      const before = stored.get(key) ?? 'none'
      return permission ? [{ key, permission, before, level: draft.level(key, stored) }] : []
    })
    const sorted = cells.toSorted((a, b) => a.permission.code.localeCompare(b.permission.code))
    return sorted.length > 0 ? [{ role, cells: sorted }] : []
  })
}

export function toChange({ key, level }: ChangedCell): MatrixChange {
  return { ...idsOf(key), accessLevel: level === 'none' ? null : level }
}

/** What follows `concierge`, which sets all permissions of one role; null for several roles. */
export function conciergeWords(
  appCode: string,
  { permissions }: StoredMatrix,
  stored: Levels,
  groups: ChangesOfRole[]
): string[] | null {
  const [only, ...others] = groups
  if (!only || others.length > 0) return null
  const changed = new Map(only.cells.map(({ key, level }) => [key, level]))
  const grants = permissions.flatMap(({ id, code }) => {
    const key = cellKey(only.role.id, id)
    const level = changed.get(key) ?? stored.get(key) ?? 'none'
    return level === 'none' ? [] : [`${code}=${level}`]
  })
  return ['roles', 'set-permissions', appCode, only.role.code, ...grants]
}
