import type { Problem } from '#core/exceptions/problem'

/** The page of the panel that shows the outcome. */
const PAGE = '/panel/provider/guide/sign-in'

/** By the code of a problem and its reason. */
const OUTCOMES: Record<string, string> = {
  'SIGN_IN_FAILED denied': 'denied',
  'SIGN_IN_FAILED code': 'code_refused',
  'SIGN_IN_FAILED client': 'client_refused',
  'SIGN_IN_FAILED response': 'invalid_response',
  'UPSTREAM_UNREACHABLE': 'unreachable',
  'PANEL_NOT_SET_UP': 'not_set_up',
  'UNAUTHENTICATED': 'token_refused',
  'EMAIL_NOT_VERIFIED': 'email_not_verified',
  'ORGANISATION_NOT_ACCEPTED': 'organisation_not_accepted',
  'IDENTITY_CONFLICT': 'identity_conflict',
  'USER_INACTIVE': 'user_inactive',
}

/** What the page has a text about. */
export const TEST_OUTCOMES = ['works', ...Object.values(OUTCOMES), 'other']

const NONCE = /^[\w-]{22,64}$/

export interface TestSignIn {
  /**
   * What only the tab knows that began it, so that it believes no link that someone else made.
   * Empty if it gave none.
   */
  nonce: string
}

/** @param parameter `test` of the request that begins a sign-in */
export function testSignIn(parameter: unknown): TestSignIn | null {
  if (parameter === undefined) return null
  const isNonce = typeof parameter === 'string' && NONCE.test(parameter)
  return { nonce: isNonce ? parameter : '' }
}

/** Where a test sign-in ends. The address names no person and repeats no text of the provider. */
export function testPath({ nonce }: TestSignIn, problem: Problem | null): string {
  return `${PAGE}?outcome=${problem === null ? 'works' : outcomeOf(problem)}&test=${nonce}`
}

function outcomeOf({ kind: { code }, details }: Problem): string {
  return OUTCOMES[`${code} ${String(details.reason)}`] ?? OUTCOMES[code] ?? 'other'
}
