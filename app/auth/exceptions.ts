import { defineProblem } from '#core/exceptions/problem'

const UnauthenticatedProblem = defineProblem(
  'UNAUTHENTICATED',
  401,
  'The request carries no valid credentials'
)
const EmailNotVerifiedProblem = defineProblem(
  'EMAIL_NOT_VERIFIED',
  401,
  'The e-mail address of the token is not verified',
  'Confirm the e-mail address at the identity provider, then sign in again.'
)

export { Forbidden } from '#core/exceptions/problems'

export const KeyNotForApplication = defineProblem(
  'KEY_NOT_FOR_APPLICATION',
  403,
  'The key does not give access to this application or endpoint',
  "Use a key of the application in the request. Endpoints that belong to no single application need the platform's `INTERNAL_API_KEY`."
)

export const NotAMember = defineProblem(
  'NOT_A_MEMBER',
  403,
  'You are not a member of this application',
  'Ask an administrator of the application for a role.'
)
export const OrganisationNotAccepted = defineProblem(
  'ORGANISATION_NOT_ACCEPTED',
  403,
  'Accounts of this organisation are not accepted',
  'Request the scope that adds the organisation to the token, or ask the operator to add the organisation to `IDP_ACCEPTED_ORGS`.'
)
function bearerChallenge(description: string) {
  return {
    'www-authenticate': `Bearer realm="concierge", error="invalid_token", error_description="${description}"`,
  }
}

export class InvalidToken extends UnauthenticatedProblem {
  /** @param detail printable ASCII without quotes: the challenge header repeats it */
  constructor(detail: string, cause?: unknown) {
    super({ detail, cause, headers: bearerChallenge(detail) })
  }
}

/** Nobody guessed the token: its signature is right. */
export class ExpiredToken extends InvalidToken {
  override readonly isGuess = false
}

/** Nobody guessed the token: it was accepted when the request began. */
export class AccountErased extends InvalidToken {
  override readonly isGuess = false

  constructor() {
    super('The record of this account was erased while the request was in progress')
  }
}

export class EmailNotVerified extends EmailNotVerifiedProblem {
  /** @param detail as for `InvalidToken` */
  constructor(detail?: string) {
    super({ detail, headers: bearerChallenge(detail ?? 'The e-mail address is not verified') })
  }
}

/** The key may be too new to be known: the keys were reloaded a moment ago (`KeyNotLookedUp`). */
export class UnknownSigningKey extends InvalidToken {
  override readonly isGuess = false
}

export class InvalidSecret extends UnauthenticatedProblem {
  constructor(header: string) {
    super({
      detail: `The header ${header} is missing or wrong`,
      headers: { 'www-authenticate': `SharedSecret realm="concierge", header="${header}"` },
    })
  }
}
