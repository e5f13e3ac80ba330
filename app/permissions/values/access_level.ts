/** Access levels in ascending priority (permissions.md#access-levels). */
export const ACCESS_LEVELS = ['allowed', 'view', 'edit'] as const

export type AccessLevel = (typeof ACCESS_LEVELS)[number]

export type PermissionType = 'binary' | 'tiered'

const RANK: Record<AccessLevel, number> = { allowed: 1, view: 2, edit: 3 }

/** Whether holding `held` meets a need for `needed`; without a need every level does (checks.md#required-level). */
export function satisfies(held: AccessLevel | null, needed: AccessLevel | undefined): boolean {
  if (held === null) return false
  return needed === undefined || RANK[held] >= RANK[needed]
}

/** The level behind its rank in SQL (1 to 3); null for none. */
export function levelOfRank(rank: number | null): AccessLevel | null {
  return rank === null ? null : ACCESS_LEVELS[rank - 1]
}

/** The highest level a permission of this type can carry. */
export function highestLevel(type: PermissionType): AccessLevel {
  return type === 'tiered' ? 'edit' : 'allowed'
}
