import type { ListedPermission } from '@/queries/permissions'

/** A permission in the tree. */
export interface TreeRow {
  permission: ListedPermission
  /** How many permissions are above it. */
  depth: number
  /** Shown only because something below it is. */
  isContext: boolean
}

export interface TreeGroup {
  /** Empty for permissions without a group. */
  name: string
  rows: TreeRow[]
}

/**
 * Permissions by group, children below their parents. A child is shown in the group of its topmost
 * parent. What `isWanted` leaves out is shown only above something wanted.
 */
export function treeOf(
  permissions: ListedPermission[],
  isWanted: (permission: ListedPermission) => boolean
): TreeGroup[] {
  const children = Map.groupBy(permissions, ({ parentPermissionId }) => parentPermissionId)
  const rowsBelow = (parentId: number | null, depth: number): TreeRow[] =>
    byCode(children.get(parentId) ?? []).flatMap((permission) => {
      const below = rowsBelow(permission.id, depth + 1)
      const wanted = isWanted(permission)
      if (!wanted && below.length === 0) return []
      return [{ permission, depth, isContext: !wanted }, ...below]
    })

  const roots = Map.groupBy(children.get(null) ?? [], ({ groupName }) => groupName ?? '')
  const names = [...roots.keys()].toSorted((a, b) => Number(!a) - Number(!b) || a.localeCompare(b))
  const rows = rowsBelow(null, 0)
  const groups = new Map<string, TreeRow[]>(names.map((name) => [name, []]))
  let group = ''
  for (const row of rows) {
    if (row.depth === 0) group = row.permission.groupName ?? ''
    groups.get(group)!.push(row)
  }
  return [...groups].flatMap(([name, found]) => (found.length > 0 ? [{ name, rows: found }] : []))
}

const byCode = (permissions: ListedPermission[]) =>
  permissions.toSorted((a, b) => a.code.localeCompare(b.code))

/** Whether no role grants it and no override names it. */
export const isUnused = ({ roleCount, overrideCount }: ListedPermission) =>
  roleCount === 0 && overrideCount === 0
