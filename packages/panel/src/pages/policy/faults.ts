import type { Problem } from '@/api/problem'

/** What is wrong with a document, and in which line, if it is known. */
export interface Fault {
  message: string
  line: number | null
}

/** @param text the document that was refused */
export async function faultsOf(problem: Problem, text: string): Promise<Fault[]> {
  const { details, fields, message } = problem
  if (typeof details.line === 'number' && problem.code === 'MALFORMED_YAML') {
    return [{ message, line: details.line }]
  }
  if (fields.length > 0) {
    const { lineOf } = await import('@/pages/policy/problem_lines')
    return fields.map((one) => ({ message: one.message, line: lineOf(text, one.field) }))
  }
  if (typeof details.field === 'string') {
    const { lineOf } = await import('@/pages/policy/problem_lines')
    return [{ message: `${message} (${details.field})`, line: lineOf(text, details.field) }]
  }
  return [{ message, line: null }]
}
