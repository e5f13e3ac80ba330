import identityProvider from '#config/identity_provider'

/** The identity provider account of a verified token. */
export interface Account {
  /** Canonical. */
  email: string
  /** The provider's user id (`sub`). */
  subject: string
  organisationId: string | null
}

/** What an account may do with the record of its address; `conflict` if another account owns it. */
export type AccountState = 'active' | 'inactive' | 'conflict'

export const accountIssuer = identityProvider.accountIssuer

/** Accepts accounts without an organisation only if all organisations are accepted. */
export function isAcceptedOrganisation(organisationId: string | null): boolean {
  const accepted = identityProvider.acceptedOrganisations
  return accepted.length === 0 || (organisationId !== null && accepted.includes(organisationId))
}
