import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { violationsOf } from '#tests/helpers/contract'
import { noteSeen } from '#tests/helpers/seen_answers'
import { type Answer, watch } from '#tests/world/answers'

const violations: string[] = []

/**
 * Holds every answer of the server against the API description, whatever client asked: what does not fit is kept for
 * `requireContract`.
 */
export function watchAnswers(server: Server): Server {
  return server.prependListener('request', (request: IncomingMessage, response: ServerResponse) =>
    watch(request, response, noteAnswer)
  )
}

/** The same for an answer of a process of its own. */
export function noteAnswer(answer: Answer) {
  violations.push(...violationsOf(answer))
  noteSeen(answer)
}

/** @throws Error that lists the answers since the last time that do not fit the description */
export function requireContract() {
  const found = new Set(violations.splice(0))
  if (found.size > 0) throw new Error([...found].slice(0, 20).join('\n'))
}
