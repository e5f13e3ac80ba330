import type { Problem } from '@/api/problem'

/** Which condition of a list the service refused, and why; null for other problems. */
export function refusedCondition({ code, details }: Problem) {
  if (code !== 'CONDITION_INVALID') return null
  const { field, reason, line, column } = details as {
    field: string
    reason: string
    line: number
    column: number
  }
  const [, index] = field.split('.')
  return { index: Number(index), reason, line, column }
}
