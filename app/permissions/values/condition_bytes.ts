/**
 * In UTF-8, of all roles of an application together, and of all overrides of a user in it, because
 * some lists contain them all.
 */
export const MAX_CONDITION_BYTES = 2 * 1024 * 1024

interface Conditional {
  condition?: string | null
}

export const conditionBytes = (items: Conditional[]): number =>
  items.reduce((sum, { condition }) => sum + Buffer.byteLength(condition ?? ''), 0)
