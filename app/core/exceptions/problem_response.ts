import type { HttpContext } from '@adonisjs/core/http'
import type { Problem } from '#core/exceptions/problem'

declare module '@adonisjs/core/http' {
  interface HttpContext {
    /** Set by routes of standards whose errors are not problem details. */
    renderProblem?: RenderProblem
  }
}

/** The form in which a problem is sent. */
export type RenderProblem = (
  problem: Problem,
  ctx: HttpContext
) => { status: number; contentType: string; body: string }

export const PROBLEM_CONTENT_TYPE = 'application/problem+json'

/** See conventions.md#problem-details. */
export const problemDetails: RenderProblem = (problem, { requestId }) => ({
  status: problem.kind.status,
  contentType: PROBLEM_CONTENT_TYPE,
  body: JSON.stringify(problemBody(problem, requestId)),
})

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
