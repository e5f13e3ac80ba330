import type User from '#app/profiles/models/user'

export interface ProviderIdentity {
  idpUserId: string
  idpOrgId: string | null
}

/**
 * Binds a record unless it belongs to another account or organisation. The record must be locked;
 * the caller saves it.
 */
export function bindUser(user: User, identity: ProviderIdentity): 'anothers' | 'own' | 'taken' {
  const isOfAnotherOrganisation =
    user.idpOrgId !== null && identity.idpOrgId !== null && user.idpOrgId !== identity.idpOrgId
  if (!user.canBindTo(identity.idpUserId)) return 'anothers'
  if (user.idpUserId !== null) return 'own'
  if (isOfAnotherOrganisation) return 'anothers'
  user.bindTo(identity.idpUserId, identity.idpOrgId)
  return 'taken'
}
