import type { Concierge } from '../concierge.ts'
import type { OwnCheckQuestion } from '../checks/question.ts'
import { ConciergeProblem, type ProblemDetails } from '../problem.ts'

/** The permission a request requires, or a function of the request, such as for its resource. */
export type Requirement<Request> = OwnCheckQuestion | ((request: Request) => OwnCheckQuestion)

export interface Refusal {
  status: 401 | 403 | 503
  headers: Record<string, string>
  body: ProblemDetails
}

/**
 * Checks the owner of a request's token.
 *
 * @returns the response for a refused request, or null
 */
export async function findRefusal<Request>(
  concierge: Concierge,
  authorization: string | undefined,
  requirement: Requirement<Request>,
  request: Request
): Promise<Refusal | null> {
  const token = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
  if (token === undefined) return refusal(401, 'UNAUTHENTICATED', 'A bearer token is required')
  const resolved = typeof requirement === 'function' ? requirement(request) : requirement
  // With an address, the check would ignore the token.
  const question: OwnCheckQuestion & { email?: string } = { ...resolved }
  delete question.email
  try {
    const allowed = await concierge.as(token).may(question)
    return allowed ? null : refusal(403, 'FORBIDDEN', 'The caller lacks the required permission')
  } catch (error) {
    // Such as an account that is not the one behind the address: asking again would not help.
    if (error instanceof ConciergeProblem && (error.status === 401 || error.status === 403)) {
      return refusal(error.status, error.code, error.message)
    }
    return refusal(503, 'CHECK_UNAVAILABLE', 'The permission cannot be checked right now')
  }
}

const TITLES = { 401: 'Unauthorized', 403: 'Forbidden', 503: 'Service Unavailable' }

function refusal(status: Refusal['status'], code: string, detail: string): Refusal {
  const headers: Record<string, string> = { 'content-type': 'application/problem+json' }
  if (status === 401) headers['www-authenticate'] = 'Bearer'
  if (status === 503) headers['retry-after'] = '1'
  return {
    status,
    headers,
    body: {
      type: 'about:blank',
      title: TITLES[status],
      status,
      detail,
      code,
      details: {},
      requestId: '',
    },
  }
}
