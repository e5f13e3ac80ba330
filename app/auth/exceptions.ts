import { defineProblem } from '#core/exceptions/problem'

const UnauthenticatedProblem = defineProblem(
  'UNAUTHENTICATED',
  401,
  'The request carries no valid credentials'
)
const EmailNotVerifiedProblem = defineProblem(
  'EMAIL_NOT_VERIFIED',
  401,
  'The e-mail address of this token is not verified',
  'The person confirms their e-mail address at the identity provider and signs in again.'
)

export { Forbidden } from '#core/exceptions/problems'

export const KeyNotForApplication = defineProblem(
  'KEY_NOT_FOR_APPLICATION',
  403,
  'The key is for another application, or this is for the platform alone',
  "Use a key of the application that the request is about. What belongs to no single application takes the platform's `INTERNAL_API_KEY`."
)

export const NotAMember = defineProblem(
  'NOT_A_MEMBER',
  403,
  'The application is for people who were given something in it',
  'Ask an administrator of the application for a role.'
)
export const IdentityConflict = defineProblem(
  'IDENTITY_CONFLICT',
  403,
  'This e-mail address belongs to another account of the identity provider',
  'Sign in with the account that used the address first. A super admin can hand it over: `PUT /api/users/:email/identity`.'
)
export const OrganisationNotAccepted = defineProblem(
  'ORGANISATION_NOT_ACCEPTED',
  403,
  'Accounts of this organisation may not use the platform',
  'Request the scope that adds the organisation to tokens, or ask the operator to add it to `IDP_ACCEPTED_ORGS`.'
)
export const UserInactive = defineProblem(
  'USER_INACTIVE',
  403,
  'This person is deactivated',
  'Deactivated people can read their own profile and ask checks, which are denied. Ask an administrator.'
)

/** RFC 6750: what a client needs to know to ask for a better token. */
function bearerChallenge(description: string) {
  return {
    'www-authenticate': `Bearer realm="concierge", error="invalid_token", error_description="${description}"`,
  }
}

export class InvalidToken extends UnauthenticatedProblem {
  /** @param detail printable ASCII without quotes: it also stands in the challenge header */
  constructor(detail: string, cause?: unknown) {
    super({ detail, cause, headers: bearerChallenge(detail) })
  }
}

export class EmailNotVerified extends EmailNotVerifiedProblem {
  constructor() {
    super({ headers: bearerChallenge('The e-mail address is not verified') })
  }
}

/** A missing or wrong shared secret (internal key, webhook secret). */
export class InvalidSecret extends UnauthenticatedProblem {
  constructor(header: string) {
    super({
      detail: `The header ${header} is missing or wrong`,
      headers: { 'www-authenticate': `SharedSecret realm="concierge", header="${header}"` },
    })
  }
}
