import type User from '#app/profiles/models/user'

export interface Claim {
  /** The identity provider's id of the person who says the address is theirs. */
  idpUserId: string
  idpOrgId: string | null
}

/**
 * Makes a record belong to a user of the identity provider if it was nobody's. One that belongs to
 * somebody else stays theirs. The record must be locked; it is not saved.
 */
export function claimUser(user: User, claim: Claim): 'anothers' | 'own' | 'taken' {
  const isOfAnotherOrganisation =
    user.idpOrgId !== null && claim.idpOrgId !== null && user.idpOrgId !== claim.idpOrgId
  if (!user.mayBelongTo(claim.idpUserId)) return 'anothers'
  if (user.idpUserId !== null) return 'own'
  if (isOfAnotherOrganisation) return 'anothers'
  user.bindTo(claim.idpUserId, claim.idpOrgId)
  return 'taken'
}
