import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { violationsOf } from '#tests/helpers/contract'
import { recordResponse } from '#tests/helpers/seen_responses'
import { type SeenResponse, watchResponse } from '#tests/world/watch_response'

const violations: string[] = []

/** Compares every response with the API description and keeps violations for `requireContract`. */
export function watchResponses(server: Server): Server {
  return server.prependListener('request', (request: IncomingMessage, response: ServerResponse) =>
    watchResponse(request, response, checkResponse)
  )
}

/** Does the same for a response of another process. */
export function checkResponse(response: SeenResponse) {
  violations.push(...violationsOf(response))
  recordResponse(response)
}

/** @throws Error that lists the new violations */
export function requireContract() {
  const found = new Set(violations.splice(0))
  if (found.size > 0) throw new Error([...found].slice(0, 20).join('\n'))
}
