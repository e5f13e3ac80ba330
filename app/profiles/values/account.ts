import identityProvider from '#config/identity_provider'

/** The identity provider account of a verified token. */
export interface Account {
  /** Canonical e-mail address. */
  email: string
  /** The provider's user id (`sub`). */
  subject: string
  organisationId: string | null
}

/**
 * An account's access to the record of its address; `conflict` if it belongs to another account.
 */
export type Standing = 'active' | 'inactive' | 'conflict'

/** The issuer of accounts, as stored in records. */
export const accountIssuer = identityProvider.accountIssuer

/**
 * Whether events and tokens of this organisation are accepted; null for those without one.
 */
export function isAcceptedOrganisation(organisationId: string | null): boolean {
  const accepted = identityProvider.acceptedOrganisations
  return accepted.length === 0 || (organisationId !== null && accepted.includes(organisationId))
}
