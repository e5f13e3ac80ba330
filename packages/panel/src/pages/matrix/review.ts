import { type CellKey, type Level, type Levels, cellKey, idsOf } from '@/pages/matrix/cells'
import type { Draft } from '@/pages/matrix/draft'
import type { AccessChange } from '@/queries/preview'
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

/** The changes as a preview takes them: whole roles, whose other permissions stay. */
export const accessChanges = ({ grants }: StoredMatrix, groups: ChangesOfRole[]): AccessChange[] =>
  groups.map(({ role, cells }) => {
    const held = grants.filter(({ roleId }) => roleId === role.id)
    const changed = new Set(cells.map(({ permission }) => permission.id))
    const others = held
      .filter(({ permissionId }) => !changed.has(permissionId))
      .map(({ permissionId, accessLevel, condition }) => ({ permissionId, accessLevel, condition }))
    const given = cells.flatMap(({ permission: { id }, level }) => {
      const condition = held.find(({ permissionId }) => permissionId === id)?.condition ?? null
      return level === 'none' ? [] : [{ permissionId: id, accessLevel: level, condition }]
    })
    return { op: 'replaceRolePermissions', roleId: role.id, permissions: [...others, ...given] }
  })

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
