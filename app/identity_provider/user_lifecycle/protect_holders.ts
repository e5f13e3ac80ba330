import type User from '#app/profiles/models/user'
import type { AddressProof } from '#app/identity_provider/user_lifecycle/address_proof'
import {
  type ProviderUserFacts,
  currentEmail,
  latestEmails,
} from '#app/identity_provider/user_lifecycle/provider_user_facts'
import type { RecordChange } from '#app/identity_provider/user_lifecycle/record_change'

/**
 * Asks for the proof of the account's address if the account would close its record without having
 * proved it, and keeps the answer. Undefined if nothing had to be asked.
 * @param holders those of the records' addresses that hold rights
 */
export function proveHeldAddress(
  records: User[],
  facts: ProviderUserFacts,
  { holders, proofOf }: { holders: Set<string>; proofOf: (email: string) => AddressProof }
): AddressProof | undefined {
  const isClosing = facts.removed === true || facts.active?.value === false
  const [fact] = latestEmails(facts)
  if (!isClosing || !fact || fact.verified || !holders.has(fact.value)) return undefined
  if (!records.some(({ email, isFree }) => email === fact.value && isFree)) return undefined
  const proof = proofOf(fact.value)
  if (proof === 'verified') fact.verified = true
  return proof
}

/**
 * Ends the reservations by which the account would close records of addresses that hold rights: it
 * has left the address, or the provider does not say that the address is its own
 * (identity-provider.md#rights-of-reserved-addresses).
 */
export function endReservations(
  records: User[],
  facts: ProviderUserFacts,
  { holders, proof }: { holders: Set<string>; proof: AddressProof | undefined }
): { ended: User[]; changes: RecordChange[] } {
  const current = currentEmail(facts)
  // Of an account that still exists, the service account may see nothing.
  const isDisproved = proof === 'unverified' || (proof === 'missing' && facts.removed === true)
  const ended = records.filter(
    ({ email, identityVerified }) =>
      !identityVerified && holders.has(email) && (email !== current || isDisproved)
  )
  const changes: RecordChange[] = []
  for (const record of ended) {
    const { email, active: wasActive } = record
    record.discardUnverifiedIdentity()
    for (const fact of facts.emails) if (fact.value === email) fact.claimed = false
    if (record.active && !wasActive) changes.push({ email, change: 'reactivated' })
  }
  return { ended, changes }
}
