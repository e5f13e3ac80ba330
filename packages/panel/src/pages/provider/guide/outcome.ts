/** How a test sign-in ended, as the service says it in the address; each has its texts. */
export const OUTCOMES = [
  'works',
  'denied',
  'code_refused',
  'client_refused',
  'invalid_response',
  'unreachable',
  'not_set_up',
  'token_refused',
  'email_not_verified',
  'organisation_not_accepted',
  'identity_conflict',
  'user_inactive',
  'other',
] as const

export type Outcome = (typeof OUTCOMES)[number]

/** Null if there was none; an unknown one is `other`. */
export function outcomeOf(text: unknown): Outcome | null {
  if (typeof text !== 'string' || text === '') return null
  return OUTCOMES.find((one) => one === text) ?? 'other'
}

/** Tells the other windows of the panel how it ended. */
export const OUTCOME_CHANNEL = 'concierge test sign-in'
