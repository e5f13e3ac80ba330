import identityProvider from '#config/identity_provider'

/** An account at the identity provider that a verified token stands for. */
export interface Account {
  /** Canonical e-mail address. */
  email: string
  /** The provider's user id (`sub`). */
  subject: string
  organisationId: string | null
}

/**
 * What an account may do with the record of its address; `conflict` when that is another account's.
 */
export type Standing = 'active' | 'inactive' | 'conflict'

/** The issuer that accounts belong to, as records name it. */
export const accountIssuer = identityProvider.accountIssuer

/**
 * Whether an event or a token of this organisation is taken at all; null for one that names none.
 */
export function isAcceptedOrganisation(organisationId: string | null): boolean {
  const accepted = identityProvider.acceptedOrganisations
  return accepted.length === 0 || (organisationId !== null && accepted.includes(organisationId))
}
