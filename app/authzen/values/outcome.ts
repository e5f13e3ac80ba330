import type { Decision } from '#app/checks/values/decision'
import type { RefusedRequest } from '#app/authzen/values/access_request'

/** A request about something that is not known. Nobody has access to it. */
export interface Unknown {
  unknown: 'subject type' | 'subject' | 'resource type'
}

/** The outcome of an access evaluation. */
export type Outcome = Decision | Unknown | RefusedRequest

export function isPermitted(outcome: Outcome): boolean {
  return 'level' in outcome && outcome.level !== null
}
