import type { Problem } from '#core/exceptions/problem'

export const PROBLEM_CONTENT_TYPE = 'application/problem+json'

/**
 * The body of an error answer: RFC 9457 problem details with the members of conventions.md#problem-details.
 */
export function problemBody(problem: Problem, requestId: string) {
  const { code, status, title } = problem.kind
  return {
    type: `/docs/errors/${code}`,
    title,
    status,
    detail: problem.message,
    code,
    details: problem.details,
    requestId,
  }
}
