import type { IncomingMessage, ServerResponse } from 'node:http'
import { sendProblem } from '#core/exceptions/raw_problem'
import { invalidField } from '#core/exceptions/problems'

/** Responds to a malformed percent escape, which never reaches a route or the exception handler. */
export function rejectMalformedUrl(request: IncomingMessage, response: ServerResponse) {
  const message = 'The path contains a malformed percent escape'
  const problem = invalidField('path', 'percentEncoding', message)
  sendProblem(request, response, problem)
}
