import type { RenderProblem } from '#core/exceptions/problem_response'
import type { ProblemKind } from '#core/exceptions/problem'

export const ERROR_CONTENT_TYPE = 'text/plain'

/** The standard has no 415 (authzen.md#errors). */
export const statusOf = ({ status }: ProblemKind) => (status === 415 ? 400 : status)

/** An error message instead of problem details. */
export const renderAuthzenError: RenderProblem = ({ kind, message }) => ({
  status: statusOf(kind),
  contentType: `${ERROR_CONTENT_TYPE}; charset=utf-8`,
  body: `${kind.code}: ${message}`,
})
