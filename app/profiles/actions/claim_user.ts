import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { createUser } from '#app/profiles/actions/ensure_user'
import User from '#app/profiles/models/user'

export interface Claim {
  email: string
  idpUserId: string
  idpOrgId: string | null
}

/** Binds the record of an address, unless it belongs to someone else. */
export async function claimUser(claim: Claim, trx: TransactionClientContract) {
  const known = await User.findBy({ email: claim.email }, { client: trx })
  if (!known) await createUser({ email: claim.email }, trx)
  const user = await User.query({ client: trx })
    .where({ email: claim.email })
    .forUpdate()
    .firstOrFail()
  const isOfAnotherOrganisation =
    user.idpOrgId !== null && claim.idpOrgId !== null && user.idpOrgId !== claim.idpOrgId
  if (!user.mayBelongTo(claim.idpUserId)) return { outcome: 'anothers', user } as const
  if (user.idpUserId !== null) return { outcome: 'own', user } as const
  if (isOfAnotherOrganisation) return { outcome: 'anothers', user } as const
  user.bindTo(claim.idpUserId, claim.idpOrgId)
  await user.save()
  return { outcome: known ? 'taken' : 'created', user } as const
}
