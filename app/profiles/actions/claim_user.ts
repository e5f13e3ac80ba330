import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { createUser } from '#app/profiles/actions/ensure_user'
import User from '#app/profiles/models/user'

export interface Claim {
  email: string
  /** The identity provider's id of the person who says the address is theirs. */
  idpUserId: string
  idpOrgId: string | null
}

/**
 * Makes a record belong to a user of the identity provider: it is created when missing and taken when it was nobody's.
 * One that belongs to somebody else stays theirs.
 */
export async function claimUser(claim: Claim, trx: TransactionClientContract) {
  const known = await User.findBy({ email: claim.email }, { client: trx })
  const user = known ?? (await createUser(claim, trx))
  if (user.idpUserId === null) {
    await trx
      .from('users')
      .where('id', user.id)
      .whereNull('idp_user_id')
      .update({ idp_user_id: claim.idpUserId, idp_org_id: claim.idpOrgId })
    await user.refresh()
    if (user.idpUserId === claim.idpUserId) return { outcome: 'taken', user } as const
  }
  if (user.idpUserId !== claim.idpUserId) return { outcome: 'anothers', user } as const
  return { outcome: known ? 'own' : 'created', user } as const
}
