import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { violationsOf } from '#tests/helpers/contract'
import { noteSeen } from '#tests/helpers/seen_answers'
import { type Answer, watch } from '#tests/world/answers'

const violations: string[] = []

/** Compares every response with the API description and keeps violations for `requireContract`. */
export function watchAnswers(server: Server): Server {
  return server.prependListener('request', (request: IncomingMessage, response: ServerResponse) =>
    watch(request, response, noteAnswer)
  )
}

/** Does the same for a response of another process. */
export function noteAnswer(answer: Answer) {
  violations.push(...violationsOf(answer))
  noteSeen(answer)
}

/** @throws Error that lists the new violations */
export function requireContract() {
  const found = new Set(violations.splice(0))
  if (found.size > 0) throw new Error([...found].slice(0, 20).join('\n'))
}
