import type { IncomingMessage, ServerResponse } from 'node:http'
import { PROBLEM_CONTENT_TYPE, problemBody } from '#core/exceptions/problem_response'
import { ValidationError } from '#core/exceptions/problems'
import { requestIdFrom } from '#core/http/request_id'

/** Answers a path with a broken percent escape, which never reaches a route or the exception handler. */
export function rejectMalformedUrl({ headers }: IncomingMessage, response: ServerResponse) {
  const message = 'The path holds a malformed percent escape'
  const problem = new ValidationError({
    detail: message,
    details: { errors: [{ field: 'path', rule: 'percentEncoding', message }] },
  })
  const given = headers['x-request-id']
  const requestId = requestIdFrom(Array.isArray(given) ? undefined : given)
  response.writeHead(problem.kind.status, {
    'cache-control': 'no-store',
    'content-type': PROBLEM_CONTENT_TYPE,
    'x-request-id': requestId,
  })
  response.end(JSON.stringify(problemBody(problem, requestId)))
}
