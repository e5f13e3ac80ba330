import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { createUser } from '#app/profiles/actions/ensure_user'
import User from '#app/profiles/models/user'

export interface ProviderIdentity {
  email: string
  idpUserId: string
  idpOrgId: string | null
}

/** Binds the record of an address, unless it belongs to someone else. */
export async function bindUser(identity: ProviderIdentity, trx: TransactionClientContract) {
  const known = await User.findBy({ email: identity.email }, { client: trx })
  if (!known) await createUser({ email: identity.email }, trx)
  const user = await User.query({ client: trx })
    .where({ email: identity.email })
    .forUpdate()
    .firstOrFail()
  const isOfAnotherOrganisation =
    user.idpOrgId !== null && identity.idpOrgId !== null && user.idpOrgId !== identity.idpOrgId
  if (!user.canBindTo(identity.idpUserId)) return { outcome: 'anothers', user } as const
  if (user.idpUserId !== null) return { outcome: 'own', user } as const
  if (isOfAnotherOrganisation) return { outcome: 'anothers', user } as const
  user.bindTo(identity.idpUserId, identity.idpOrgId)
  await user.save()
  return { outcome: known ? 'taken' : 'created', user } as const
}
