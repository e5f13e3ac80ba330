import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { endAccountSessions } from '#app/profiles/actions/end_account_sessions'
import { saveUsers } from '#app/profiles/actions/save_users'
import type User from '#app/profiles/models/user'
import { updateProviderUserFacts } from '#app/identity_provider/user_lifecycle/update_provider_user_facts'
import { positionOf } from '#app/identity_provider/user_lifecycle/address_event_order'
import type { AddressEvent } from '#app/identity_provider/user_lifecycle/lifecycle_event'
import {
  type ProviderUserFacts,
  type DatedFact,
  withClaimedEmail,
} from '#app/identity_provider/user_lifecycle/provider_user_facts'

const ACTIVE_AFTER: Partial<Record<string, boolean>> = {
  'user.deactivated': false,
  'user.reactivated': true,
  'user.removed': false,
}

/**
 * Applies an event about an address. A removal releases the records.
 * @param others the records of the account to which the event also applies
 */
export async function setStatus(
  user: User,
  others: User[],
  event: AddressEvent,
  trx: TransactionClientContract
) {
  const active = ACTIVE_AFTER[event.type]
  if (active === undefined) return
  const at = laterPosition(user.statusEventAt, positionOf(event))
  const account = event.type === 'user.removed' ? (event.userId ?? user.idpUserId) : user.idpUserId
  if (account !== null) {
    // Later events of the provider about this account are compared with this one.
    await updateProviderUserFacts(account, trx, (facts) => {
      const status = { value: active, at: laterPosition(facts.active?.at, at) }
      return event.type === 'user.removed'
        ? afterRemoval(facts, [...others, user], event, status)
        : { ...facts, active: status }
    })
  }
  // An event without an account applies to whoever proves that the address is theirs.
  if (!active && event.userId === null && !user.identityVerified) user.suspend(at)
  else user.changeStatus(active, at)
  for (const one of others) {
    one.changeStatus(active, laterPosition(one.statusEventAt, positionOf(event)))
  }
  if (event.type === 'user.removed') for (const one of [...others, user]) one.release()
  await user.save()
  if (account !== null && others.length > 0) await endAccountSessions(account, trx)
  await saveUsers(others, trx)
}

/** A removal by address alone does not name the account, which may return. */
function afterRemoval(
  facts: ProviderUserFacts,
  released: User[],
  { userId }: AddressEvent,
  status: DatedFact<boolean>
): ProviderUserFacts {
  const emails = released.reduce((known, { email }) => withClaimedEmail(known, email), facts.emails)
  if (userId === null) return { ...facts, emails, active: undefined }
  return { ...facts, emails, active: status, removed: true }
}

function laterPosition(known: string | null | undefined, position: string): string {
  return known && known > position ? known : position
}
