import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type User from '#app/profiles/models/user'
import { withProviderUser } from '#app/identity_provider/user_lifecycle/with_provider_user'
import { positionOf } from '#app/identity_provider/user_lifecycle/address_event_time'
import type { AddressEvent } from '#app/identity_provider/user_lifecycle/lifecycle_event'
import {
  type ProviderUserFacts,
  type DatedFact,
  withClaimedEmail,
} from '#app/identity_provider/user_lifecycle/provider_user_facts'

const STATUS: Partial<Record<string, boolean>> = {
  'user.deactivated': false,
  'user.reactivated': true,
  'user.removed': false,
}

/** Applies an event about an address. A removal releases the record. */
export async function setStatus(user: User, event: AddressEvent, trx: TransactionClientContract) {
  const active = STATUS[event.type]
  if (active === undefined) return
  const at = later(user.statusEventAt, positionOf(event))
  const account = event.type === 'user.removed' ? (event.userId ?? user.idpUserId) : user.idpUserId
  if (account !== null) {
    // Later events of the provider about this account are compared with this one.
    await withProviderUser(account, trx, (facts) => {
      const told = { value: active, at: later(facts.active?.at, at) }
      return event.type === 'user.removed' ? left(facts, event, told) : { ...facts, active: told }
    })
  }
  user.merge({ active, statusEventAt: at })
  if (active) user.awaitsReactivation = false
  if (event.type === 'user.removed') user.release()
  await user.save()
}

/** A removal by address alone does not name the account, which may return. */
function left(
  facts: ProviderUserFacts,
  { email, userId }: AddressEvent,
  told: DatedFact<boolean>
): ProviderUserFacts {
  const emails = withClaimedEmail(facts.emails, email)
  if (userId === null) return { ...facts, emails, active: undefined }
  return { ...facts, emails, active: told, removed: true }
}

function later(known: string | null | undefined, position: string): string {
  return known && known > position ? known : position
}
