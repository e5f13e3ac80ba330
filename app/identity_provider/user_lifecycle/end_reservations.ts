import type User from '#app/profiles/models/user'
import type { AddressProof } from '#app/identity_provider/user_lifecycle/address_proof'
import {
  type ProviderUserFacts,
  latestEmails,
} from '#app/identity_provider/user_lifecycle/provider_user_facts'
import type { RecordChange } from '#app/identity_provider/user_lifecycle/user_record_change'

/**
 * Asks for the proof of the account's address if the account would close its record without having
 * proved it, and keeps the result. Undefined if nothing had to be asked.
 */
export function proveReservedAddress(
  records: User[],
  facts: ProviderUserFacts,
  proofOf: (email: string) => AddressProof
): AddressProof | undefined {
  const isClosing = facts.removed === true || facts.active?.value === false
  const [fact] = latestEmails(facts)
  if (!isClosing || !fact || fact.verified) return undefined
  if (!records.some(({ email, isFree }) => email === fact.value && isFree)) return undefined
  const proof = proofOf(fact.value)
  if (proof === 'verified') fact.verified = true
  return proof
}

/**
 * Ends the account's reservations if the provider does not say that the address is its own
 * (identity-provider.md#end-of-a-reservation).
 */
export function endReservations(
  records: User[],
  facts: ProviderUserFacts,
  proof: AddressProof | undefined
): { ended: User[]; changes: RecordChange[] } {
  // An account that is missing may still exist where the service account cannot see it.
  const isDisproved = proof === 'unverified' || (proof === 'missing' && facts.removed === true)
  const ended = isDisproved ? records.filter(({ identityVerified }) => !identityVerified) : []
  const changes: RecordChange[] = []
  for (const record of ended) {
    const { email, active: wasActive } = record
    record.discardUnverifiedIdentity()
    for (const fact of facts.emails) if (fact.value === email) fact.claimed = false
    if (record.active && !wasActive) changes.push({ email, change: 'reactivated' })
  }
  return { ended, changes }
}
