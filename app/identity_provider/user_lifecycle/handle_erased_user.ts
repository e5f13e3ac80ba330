import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { transaction } from '#core/database/transaction'
import { lockAccounts } from '#app/profiles/actions/lock_accounts'
import { lockRecord } from '#app/profiles/actions/lock_record'
import ErasedIdentity from '#app/profiles/models/erased_identity'
import User from '#app/profiles/models/user'
import ProviderUser from '#app/identity_provider/models/provider_user'
import { positionOf } from '#app/identity_provider/user_lifecycle/address_event_order'
import type {
  AddressEvent,
  ProviderUserEvent,
} from '#app/identity_provider/user_lifecycle/lifecycle_event'
import { statusAfter } from '#app/identity_provider/user_lifecycle/provider_user_facts'

/**
 * Keeps events from recreating an erased user, except for a later creation. Other events only
 * change whether the user may return, and whether as active.
 * @returns whether the event is about an erased user
 */
export async function handleErasedUser(event: AddressEvent | ProviderUserEvent): Promise<boolean> {
  const { email, userId } = event
  const identities = [email, userId].filter((one) => one !== null)
  if ((await ErasedIdentity.of(identities)).size === 0) return false
  return transaction(async (trx) => {
    // Otherwise the user could sign in at the same time and miss the event.
    if (email === null) await lockAccounts([userId], trx)
    else await lockRecord(email, [userId], trx)
    if (await hasReturned(event, trx)) return false
    const erased = await ErasedIdentity.of(identities, trx)
    const account = userId === null ? undefined : erased.get(userId)
    const isDated = 'position' in event || event.isDated === true
    const isLater =
      isDated && [...erased.values()].every(({ erasedAt }) => positionIn(event) > erasedAt)
    if (event.type === 'user.created' && isLater && !account?.removed) return false
    // The provider never takes a removal back.
    if (account && event.type === 'user.removed' && (isLater || !isDated || 'position' in event)) {
      await account.merge({ active: false, removed: true }).save()
    }
    const active = statusAfter(event.type)
    if (active === undefined || (isDated && !isLater)) return true
    for (const one of erased.values()) await one.merge({ active: active && !one.removed }).save()
    return true
  })
}

const positionIn = (event: AddressEvent | ProviderUserEvent) =>
  'position' in event ? event.position : positionOf(event)

async function hasReturned(
  { email, userId }: AddressEvent | ProviderUserEvent,
  trx: TransactionClientContract
) {
  const record = await User.query({ client: trx })
    .where((own) => {
      if (email !== null) own.orWhere('email', email)
      if (userId !== null) own.orWhere('idpUserId', userId)
    })
    .first()
  if (record !== null || userId === null) return record !== null
  const known = await ProviderUser.findBy({ idpUserId: userId }, { client: trx })
  return known !== null && known.facts !== null
}
