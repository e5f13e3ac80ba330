import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { changingAccess } from '#core/database/changing_access'
import { applyNames } from '#app/profiles/actions/apply_names'
import { createUser } from '#app/profiles/actions/ensure_user'
import { lockRecord } from '#app/profiles/actions/lock_record'
import type User from '#app/profiles/models/user'
import { isAcceptedOrganisation } from '#app/profiles/values/account'
import { isRepeated } from '#app/identity_provider/actions/is_repeated'
import { prepareMappedApplication } from '#app/identity_provider/actions/prepare_mapped_application'
import { setStatus } from '#app/identity_provider/actions/set_status'
import ProviderUser from '#app/identity_provider/models/provider_user'
import {
  isOlderThanStatus,
  noteUndated,
  saysInactive,
} from '#app/identity_provider/values/address_event_time'
import type { AddressEvent } from '#app/identity_provider/values/lifecycle_event'
import { NO_FACTS, type ProviderUserFacts } from '#app/identity_provider/values/provider_user_facts'

/**
 * Handles an event about an address. An event with a time counts unless a later one was applied;
 * others count in the order of their arrival. An unknown person is recorded first, so that a
 * deactivation is never lost.
 *
 * @returns whether it is about the account and the organisation that the record belongs to
 */
export async function handleAddressEvent(event: AddressEvent): Promise<boolean> {
  noteUndated(event)
  return changingAccess(async (trx, changed) => {
    const known = await lockRecord(event.email, [event.userId], trx)
    const account = await toldOf(event, trx)
    if (!concerns(known, event, account)) return false
    if (!known) await createUser({ email: event.email }, trx)
    const user = known ?? (await lockRecord(event.email, [event.userId], trx))!
    if (user.idpUserId !== null && !concerns(user, event, account)) return false
    if ((await isRepeated(event, trx)) || isOlderThanStatus(user, event)) return true
    const [wasActive, wasBoundTo] = [user.active, user.idpUserId]
    bind(user, event, account)
    await user.save()
    // Only an update changes names; a profile without names takes them from any event.
    if (event.type === 'user.updated' || user.namesChangedAt === null) {
      await applyNames(user, { names: event.names, changedAt: event.occurredAt }, trx)
    }
    if (event.type === 'user.created') await prepareMappedApplication(user, event.orgId, trx)
    await setStatus(user, event, trx)
    const isChanged = user.active !== wasActive || user.idpUserId !== wasBoundTo
    if (isChanged) changed({ email: event.email })
    return true
  })
}

/** What is known about the account in the event. */
async function toldOf({ userId }: AddressEvent, trx: TransactionClientContract) {
  const known =
    userId === null ? null : await ProviderUser.findBy({ idpUserId: userId }, { client: trx })
  return known?.facts ?? NO_FACTS
}

function concerns(user: User | null, event: AddressEvent, account: ProviderUserFacts): boolean {
  const { email, userId, orgId } = event
  if (user?.idpOrgId && orgId && user.idpOrgId !== orgId) return false
  if (userId === null) return true
  if (user === null) return !account.removed || saysInactive(event)
  if (user.idpUserId !== null) return user.mayBelongTo(userId)
  // Events of a former account change nothing, but a repeated removal counts as handled.
  return mayTake(email, account) || (saysInactive(event) && !user.active)
}

/** Events bind a record to an account only once: if it was taken away, it stays so. */
function mayTake(address: string, { emails, removed }: ProviderUserFacts): boolean {
  return !removed && emails.every(({ value, claimed }) => value !== address || !claimed)
}

/**
 * An event of the provider binds an unbound record, except a removal.
 */
function bind(user: User, event: AddressEvent, account: ProviderUserFacts) {
  const { userId, orgId } = event
  if (event.type === 'user.removed') return
  const mayBind = mayTake(event.email, account) && isAcceptedOrganisation(orgId)
  if (user.idpUserId === null && userId !== null && mayBind) {
    user.bindTo(userId, orgId)
    user.active &&= account.active?.value !== false
  }
  user.idpOrgId ??= orgId
}
