import { transaction } from '#core/database/transaction'
import ErasedIdentity from '#app/profiles/models/erased_identity'
import User from '#app/profiles/models/user'
import { positionOf } from '#app/identity_provider/user_lifecycle/address_event_order'
import type {
  AddressEvent,
  ProviderUserEvent,
} from '#app/identity_provider/user_lifecycle/lifecycle_event'
import { statusAfter } from '#app/identity_provider/user_lifecycle/provider_user_facts'

/**
 * Keeps events from recreating an erased person; only a later creation does. Of the others, only
 * whether the person may return as active is kept.
 * @returns whether the event is about an erased person
 */
export async function handleErasedPerson(
  event: AddressEvent | ProviderUserEvent
): Promise<boolean> {
  const { email, userId, type } = event
  const identities = [email, userId].filter((one) => one !== null)
  const erased = [...(await ErasedIdentity.of(identities)).values()]
  if (erased.length === 0 || (await hasReturned(email, userId))) return false
  const position = 'position' in event ? event.position : positionOf(event)
  const isDated = 'position' in event || event.isDated === true
  const isLater = isDated && erased.every(({ erasedAt }) => position > erasedAt)
  if (type === 'user.created' && isLater) return false
  const active = statusAfter(type)
  if (active !== undefined && (isLater || !isDated)) {
    await transaction(async (trx) => {
      const ids = erased.map(({ id }) => id)
      await ErasedIdentity.query({ client: trx }).whereIn('id', ids).update({ active })
    })
  }
  return true
}

async function hasReturned(email: string | null, userId: string | null) {
  const record = await User.query()
    .where((own) => {
      if (email !== null) own.orWhere('email', email)
      if (userId !== null) own.orWhere('idpUserId', userId)
    })
    .first()
  return record !== null
}
