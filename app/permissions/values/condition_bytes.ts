/**
 * The limit of the conditions of all roles of an application, and of all overrides of a user in it.
 * Some lists contain them all.
 */
export const MAX_CONDITION_BYTES = 2 * 1024 * 1024

interface Conditional {
  condition?: string | null
}

/** In UTF-8. */
export const conditionBytes = (items: Conditional[]): number =>
  items.reduce((sum, { condition }) => sum + Buffer.byteLength(condition ?? ''), 0)
