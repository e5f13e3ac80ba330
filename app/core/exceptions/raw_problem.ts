import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Problem } from '#core/exceptions/problem'
import { PROBLEM_CONTENT_TYPE, problemBody } from '#core/exceptions/problem_response'
import { COMMON_HEADERS } from '#core/http/common_headers'
import { rawCrossOriginHeaders } from '#core/http/cross_origin'
import { requestIdFrom } from '#core/http/request_id'

/** Sends a problem where no HTTP context exists. */
export function sendProblem(request: IncomingMessage, response: ServerResponse, problem: Problem) {
  const header = request.headers['x-request-id']
  const requestId = requestIdFrom(Array.isArray(header) ? undefined : header)
  const body = JSON.stringify(problemBody(problem, requestId))
  const headers = { ...headersOf(problem, body, requestId), ...rawCrossOriginHeaders(request) }
  response.writeHead(problem.kind.status, headers).end(body)
}

/** A raw HTTP response, for a connection on which no request could be read. */
export function rawProblemResponse(problem: Problem): string {
  const requestId = requestIdFrom(undefined)
  const body = JSON.stringify(problemBody(problem, requestId))
  const headers = { ...headersOf(problem, body, requestId), connection: 'close' }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${problem.kind.status} ${problem.kind.code}\r\n${lines.join('')}\r\n${body}`
}

function headersOf(problem: Problem, body: string, requestId: string): Record<string, string> {
  return {
    ...COMMON_HEADERS,
    'content-type': PROBLEM_CONTENT_TYPE,
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': requestId,
    ...problem.headers,
  }
}
