import type { Concierge } from '../concierge.ts'
import type { OwnCheckQuestion } from '../checks/question.ts'
import { ConciergeProblem, type ProblemDetails } from '../problem.ts'

/** What a request needs; a function where it depends on the request, such as which resource it is about. */
export type Need<Request> = OwnCheckQuestion | ((request: Request) => OwnCheckQuestion)

/** Why a request may not go on. */
export interface Refusal {
  status: 401 | 403 | 503
  headers: Record<string, string>
  body: ProblemDetails
}

/**
 * Whether the owner of a request's token may do what it asks for. Without an answer nobody gets through: 503.
 *
 * @returns what to answer instead, or null when the request may go on
 */
export async function refusalOf<Request>(
  concierge: Concierge,
  authorization: string | undefined,
  need: Need<Request>,
  request: Request
): Promise<Refusal | null> {
  const token = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
  if (token === undefined) return refusal(401, 'UNAUTHENTICATED', 'A bearer token is needed')
  const wanted = typeof need === 'function' ? need(request) : need
  // A question with an address would be answered without a look at the token.
  const question: OwnCheckQuestion & { email?: string } = { ...wanted }
  delete question.email
  try {
    const allowed = await concierge.as(token).may(question)
    return allowed ? null : refusal(403, 'FORBIDDEN', 'The caller may not do this')
  } catch (error) {
    if (error instanceof ConciergeProblem && error.status === 401) {
      return refusal(401, error.code, error.message)
    }
    return refusal(503, 'CHECK_UNAVAILABLE', 'Nobody can say now whether the caller may do this')
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
