import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { accessTransaction } from '#core/database/access_transaction'
import { endAccountSessions } from '#app/profiles/actions/end_account_sessions'
import { lockAccounts } from '#app/profiles/actions/lock_accounts'
import { saveUsers } from '#app/profiles/actions/save_users'
import User from '#app/profiles/models/user'
import {
  type Claims,
  claimRecords,
  prepareClaims,
} from '#app/identity_provider/user_lifecycle/claim_records'
import { announceRecords } from '#app/identity_provider/user_lifecycle/announce_records'
import type { AddressProof } from '#app/identity_provider/user_lifecycle/address_proof'
import { findHolders } from '#app/identity_provider/user_lifecycle/find_holders'
import {
  endReservations,
  proveReservedAddress,
} from '#app/identity_provider/user_lifecycle/end_reservations'
import { recordUpdater } from '#app/identity_provider/user_lifecycle/record_updater'
import { readProviderUser } from '#app/identity_provider/user_lifecycle/update_provider_user_facts'
import {
  type ProviderUserFacts,
  latestEmails,
} from '#app/identity_provider/user_lifecycle/provider_user_facts'
import type { RecordChange } from '#app/identity_provider/user_lifecycle/user_record_change'

/** Changes that may affect a user's access. */
const AFFECTS_ACCESS: RecordChange['change'][] = ['deactivated', 'reactivated', 'identified']

export interface ProviderUserUpdate {
  idpUserId: string
  updateFacts: (facts: ProviderUserFacts) => ProviderUserFacts
  /** Whether the record of this address may be bound to the user. */
  mayClaim?: (email: string) => boolean
  /** Asked only if the account, which has not proved the address, would close its record. */
  proofOf?: (email: string) => AddressProof
  /** Position of an event that reactivates the user. A record that awaits one needs it. */
  reactivatedAt?: string
  afterwards?: (records: User[], trx: TransactionClientContract) => Promise<void>
  dryRun?: boolean
}

/**
 * Updates what is known about a user of the provider, and their records. A user who takes over an
 * address does not get its record. The record becomes inactive when its user leaves the address,
 * and is released when the account is removed or has had `MAX_EMAILS` newer addresses.
 * @returns the records of the user and their changes, and whether they have a record here or an
 * unbound one has their address. The facts of an unknown user are kept
 */
export async function synchroniseProviderUser({
  idpUserId,
  updateFacts,
  mayClaim = () => true,
  proofOf = () => 'unknown',
  reactivatedAt,
  afterwards = async () => {},
  dryRun = false,
}: ProviderUserUpdate): Promise<{ records: User[]; changes: RecordChange[]; isKnown: boolean }> {
  return accessTransaction(
    async (trx, changed) => {
      await lockAccounts([idpUserId], trx)
      const { known, save } = await readProviderUser(idpUserId, trx)
      const facts = updateFacts(known)
      const claims = await prepareClaims(facts, mayClaim, trx)
      const locked = await lockRecords(idpUserId, { facts, claims }, trx)
      const holders = await holdersAmong(locked, trx)
      const proof = proveReservedAddress(locked, facts, proofOf)
      const changes = claimRecords(locked, claims, { idpUserId, facts })
      const own = locked.filter((record) => isRecordOf(record, { idpUserId, facts }))
      markVerified(own, facts)
      const { ended, changes: reopened } = endReservations(own, facts, proof)
      changes.push(...reopened)
      const records = own.filter((record) => !ended.includes(record))
      const updateRecord = recordUpdater(facts, { known, holders, reactivatedAt })
      for (const record of records) changes.push(...updateRecord(record))
      const forgotten = forgetOldEmails(records, facts)
      if (facts.removed || facts.active?.value === false) await endAccountSessions(idpUserId, trx)
      await saveUsers(locked, trx)
      await save(facts)
      await afterwards(records, trx)
      const affecting = changes.filter(({ change }) => AFFECTS_ACCESS.includes(change))
      // Tokens of other accounts may have been refused because of these bindings.
      const released = [...ended, ...(facts.removed ? records : forgotten)]
      announceRecords(new Set([...affecting, ...released].map(({ email }) => email)), changed)
      const isKnown = records.length > 0 || locked.some(({ idpUserId: id }) => id === null)
      return { records, changes, isKnown }
    },
    { dryRun }
  )
}

/** Includes unbound records of a removed account, because late events may be about them. */
function lockRecords(
  idpUserId: string,
  { facts, claims }: { facts: ProviderUserFacts; claims: Claims },
  trx: TransactionClientContract
) {
  const released = facts.removed ? facts.emails.filter(({ claimed }) => claimed) : []
  const emails = [...claims.emails, ...released].map(({ value }) => value)
  return User.query({ client: trx })
    .where((own) => void User.boundTo(own, idpUserId))
    .if(emails.length > 0, (query) => void query.orWhereIn('email', emails))
    .orderBy('email')
    .forUpdate()
}

function isRecordOf(
  record: User,
  { idpUserId, facts }: { idpUserId: string; facts: ProviderUserFacts }
): boolean {
  if (record.idpUserId !== null) return record.isBoundTo(idpUserId)
  const wasClaimed = facts.emails.some(({ value, claimed }) => value === record.email && claimed)
  const wasReleased = record.awaitsReactivation || !record.identityVerified
  return facts.removed === true && wasReleased && wasClaimed
}

/** Only free records can be reserved, and most events are about others. */
function holdersAmong(records: User[], trx: TransactionClientContract) {
  const free = records.filter(({ isFree }) => isFree)
  return findHolders(
    free.map(({ email }) => email),
    trx
  )
}

function markVerified(records: User[], { emails }: ProviderUserFacts) {
  const verified = new Set(emails.flatMap((fact) => (fact.verified ? fact.value : [])))
  for (const record of records) {
    if (verified.has(record.email)) record.identityVerified = true
  }
}

/**
 * Releases the records of the addresses beyond `MAX_EMAILS` and forgets these addresses. Keeps an
 * address whose record was taken from the account, which must not get it again.
 * @returns the released records
 */
function forgetOldEmails(records: User[], facts: ProviderUserFacts): User[] {
  const kept = new Set(latestEmails(facts))
  const own = new Set(records.map(({ email }) => email))
  const forgotten = facts.emails.filter(
    (fact) => !kept.has(fact) && (!fact.claimed || own.has(fact.value))
  )
  if (forgotten.length === 0) return []
  const forgottenEmails = new Set(forgotten.map(({ value }) => value))
  facts.emails = facts.emails.filter(({ value }) => !forgottenEmails.has(value))
  const released = records.filter(({ email }) => forgottenEmails.has(email))
  for (const record of released) record.release()
  return released
}
