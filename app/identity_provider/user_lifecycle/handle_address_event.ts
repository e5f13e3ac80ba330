import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { accessTransaction } from '#core/database/access_transaction'
import { applyNameChanges } from '#app/profiles/actions/apply_name_changes'
import { applyNames } from '#app/profiles/actions/apply_names'
import { createUser } from '#app/profiles/actions/ensure_user'
import { recordUserChange, userState } from '#app/profiles/actions/record_user_change'
import { lockRecords } from '#app/profiles/actions/lock_record'
import type User from '#app/profiles/models/user'
import { isAcceptedOrganisation } from '#app/profiles/values/account'
import { announceRecords } from '#app/identity_provider/user_lifecycle/announce_records'
import { isDuplicateEvent } from '#app/identity_provider/user_lifecycle/is_duplicate_event'
import { prepareMappedApplication } from '#app/identity_provider/organisations/prepare_mapped_application'
import { erasedFacts } from '#app/identity_provider/user_lifecycle/update_provider_user_facts'
import { setStatus } from '#app/identity_provider/user_lifecycle/set_status'
import ProviderUser from '#app/identity_provider/models/provider_user'
import {
  isOlderThanStatus,
  warnAboutUndatedEvent,
  isDeactivation,
} from '#app/identity_provider/user_lifecycle/address_event_order'
import type { AddressEvent } from '#app/identity_provider/user_lifecycle/lifecycle_event'
import {
  NO_FACTS,
  type ProviderUserFacts,
  datedNames,
} from '#app/identity_provider/user_lifecycle/provider_user_facts'

/**
 * A dated event counts unless a later one was applied; others count in order of arrival. Creates a
 * record for an unknown user, so that a deactivation is never lost.
 * @returns whether the event is about the account and organisation of the record
 */
export async function handleAddressEvent(event: AddressEvent): Promise<boolean> {
  warnAboutUndatedEvent(event)
  return accessTransaction(async (trx, changed) => {
    const lock = () => lockRecords(event.email, [event.userId], trx)
    const { record: known, records } = await lock()
    const account = await factsOf(event, trx)
    if (!appliesTo(known, event, account)) return false
    if (!known) await createUser({ email: event.email }, trx)
    const user = known ?? (await lock()).record!
    if (user.idpUserId !== null && !appliesTo(user, event, account)) return false
    if (await isDuplicateEvent(event, trx)) return true
    const [wasActive, wasBoundTo] = [user.active, user.idpUserId]
    const before = userState(user)
    if (event.userId && !user.isBoundTo(event.userId)) user.discardUnverifiedIdentity()
    if (isOlderThanStatus(user, event)) return true
    bindRecord(user, event, account)
    await user.save()
    // Other events only fill in the names of a profile that has none.
    if (event.type === 'user.updated' || user.namesChangedAt === null) {
      await applyNames(user, { names: event.names, changedAt: event.occurredAt }, trx)
    }
    if (event.type === 'user.created') await prepareMappedApplication(user, event.orgId, trx)
    const others = alsoNamed(user, event, records)
    const affected = others.filter((one) => one.active || event.type === 'user.removed')
    await setStatus(user, others, event, trx)
    if (user.active !== wasActive || user.idpUserId !== wasBoundTo) affected.push(user)
    announceRecords(new Set(affected.map(({ email }) => email)), changed)
    await recordUserChange(trx, before, user)
    return true
  })
}

/** The account's other records, if the event names the account and makes it inactive. */
function alsoNamed(user: User, event: AddressEvent, records: User[]): User[] {
  if (event.userId === null || !isDeactivation(event)) return []
  return user
    .othersOfAccount(records)
    .filter((one) => !isOfAnotherOrganisation(one, event) && !isOlderThanStatus(one, event))
}

async function factsOf({ userId }: AddressEvent, trx: TransactionClientContract) {
  if (userId === null) return NO_FACTS
  const known = await ProviderUser.findBy({ idpUserId: userId }, { client: trx })
  return known?.facts ?? (await erasedFacts(userId, trx))
}

function appliesTo(user: User | null, event: AddressEvent, account: ProviderUserFacts): boolean {
  const { email, userId } = event
  if (user && isOfAnotherOrganisation(user, event)) return false
  if (userId === null) return true
  if (user === null) return !account.removed || isDeactivation(event)
  if (user.idpUserId !== null && user.isBoundTo(userId)) return true
  if (user.idpUserId !== null && user.identityVerified) return false
  // Events of a previous account change nothing, but a repeated removal counts as handled.
  return isBindable(email, account) || (isDeactivation(event) && !user.active)
}

function isOfAnotherOrganisation({ idpOrgId, identityVerified }: User, { orgId }: AddressEvent) {
  return identityVerified && idpOrgId !== null && orgId !== null && idpOrgId !== orgId
}

/**
 * An event binds a record to an account only once. An account that lost it does not get it back.
 */
function isBindable(address: string, { emails, removed }: ProviderUserFacts): boolean {
  return !removed && emails.every(({ value, claimed }) => value !== address || !claimed)
}

function bindRecord(user: User, event: AddressEvent, account: ProviderUserFacts) {
  const { type, email, userId, orgId } = event
  if (userId !== null && isAcceptedOrganisation(orgId)) {
    const isReserved = user.isBoundTo(userId) && !user.identityVerified
    const isUnbound = user.idpUserId === null && type !== 'user.removed'
    if (isReserved || (isUnbound && isBindable(email, account))) {
      user.bindTo(userId, orgId)
      user.active &&= account.active?.value !== false
      applyNameChanges(user, datedNames(account))
    }
  }
  if (type !== 'user.removed') user.idpOrgId ??= orgId
}
