/** In ascending order (permissions.md#access-levels). */
export const ACCESS_LEVELS = ['allowed', 'view', 'edit'] as const

export type AccessLevel = (typeof ACCESS_LEVELS)[number]

export type PermissionType = 'binary' | 'tiered'

const RANK: Record<AccessLevel, number> = { allowed: 1, view: 2, edit: 3 }

/** 1 to 3, and 0 for no level. */
export function rankOf(level: AccessLevel | null): number {
  return level === null ? 0 : RANK[level]
}

/** Without a required level, any level is enough (checks.md#required-level). */
export function satisfies(held: AccessLevel | null, needed: AccessLevel | undefined): boolean {
  if (held === null) return false
  return needed === undefined || RANK[held] >= RANK[needed]
}

/** @param rank 1 to 3, as computed in SQL; null for no level */
export function levelOfRank(rank: number | null): AccessLevel | null {
  return rank === null ? null : ACCESS_LEVELS[rank - 1]
}

/** Whether roles can grant a permission of the type at a level (permissions.md#access-levels). */
export function fitsType(type: PermissionType, level: AccessLevel): boolean {
  return (type === 'tiered') === (level !== 'allowed')
}

/** See permissions.md#level-of-an-override. */
export function fitsOverride(type: PermissionType, level: AccessLevel | null): boolean {
  return level === null || (type === 'tiered' && fitsType(type, level))
}

export function highestLevel(type: PermissionType): AccessLevel {
  return type === 'tiered' ? 'edit' : 'allowed'
}
