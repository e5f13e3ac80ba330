import type { Problem } from '@/api/problem'

/** Why the service refused a condition, and where in its text. Lines and columns begin with 1. */
export interface RefusedCondition {
  reason: string
  line: number
  column: number
}

/** Null for other problems. */
export function refusedCondition({ code, details }: Problem): RefusedCondition | null {
  if (code !== 'CONDITION_INVALID') return null
  const { reason, line, column } = details as unknown as RefusedCondition
  return { reason, line, column }
}
