import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { PROBLEM_CONTENT_TYPE, problemBody } from '#core/exceptions/problem_response'
import { ValidationError } from '#core/exceptions/problems'

/** Answers a path with a broken percent escape, which never reaches a route or the exception handler. */
export function rejectMalformedUrl(_: IncomingMessage, response: ServerResponse) {
  const message = 'The path holds a malformed percent escape'
  const problem = new ValidationError({
    detail: message,
    details: { errors: [{ field: 'path', rule: 'percentEncoding', message }] },
  })
  response.writeHead(problem.kind.status, { 'content-type': PROBLEM_CONTENT_TYPE })
  response.end(JSON.stringify(problemBody(problem, randomUUID())))
}
