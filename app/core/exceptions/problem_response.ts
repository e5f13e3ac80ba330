import type { Problem } from '#core/exceptions/problem'

export const PROBLEM_CONTENT_TYPE = 'application/problem+json'

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
