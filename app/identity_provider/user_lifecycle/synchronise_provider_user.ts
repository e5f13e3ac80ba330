import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { accessTransaction } from '#core/database/access_transaction'
import { applyNameChanges } from '#app/profiles/actions/apply_name_changes'
import { bindUser } from '#app/profiles/actions/bind_user'
import User from '#app/profiles/models/user'
import { isAcceptedOrganisation } from '#app/profiles/values/account'
import { updateProviderUserFacts } from '#app/identity_provider/user_lifecycle/update_provider_user_facts'
import {
  BEFORE_ALL_EVENTS,
  type ProviderUserFacts,
  currentEmail,
  datedNames,
} from '#app/identity_provider/user_lifecycle/provider_user_facts'
import type { RecordChange } from '#app/identity_provider/user_lifecycle/record_change'

/** Changes that may affect what a person may do. */
const AFFECTS_ACCESS: RecordChange['change'][] = ['deactivated', 'reactivated', 'identified']

export interface ProviderUserUpdate {
  idpUserId: string
  updateFacts: (facts: ProviderUserFacts) => ProviderUserFacts
  /** Whether the record of this address may be bound to the user. */
  mayClaim?: (email: string) => boolean
  /** Position of an event that reactivates the person. A record that awaits one needs it. */
  reactivatedAt?: string
  afterwards?: (records: User[], trx: TransactionClientContract) => Promise<void>
  dryRun?: boolean
}

/**
 * Updates what is known of a user of the provider, and their records. A user who takes over an
 * address does not get its record. The record becomes inactive when its user leaves the address.
 * @returns the records and their changes; none for a user unknown here, whose facts are kept
 */
export async function synchroniseProviderUser({
  idpUserId,
  updateFacts,
  mayClaim = () => true,
  reactivatedAt,
  afterwards = async () => {},
  dryRun = false,
}: ProviderUserUpdate): Promise<{ records: User[]; changes: RecordChange[] }> {
  return accessTransaction(
    async (trx, changed) => {
      const facts = await updateProviderUserFacts(idpUserId, trx, updateFacts)
      const changes = await claimRecords({ idpUserId, facts, mayClaim }, trx)
      const records = await recordsOf(idpUserId, facts, trx)
      for (const record of records) {
        changes.push(...(await updateRecord(record, { facts, reactivatedAt }, trx)))
      }
      await afterwards(records, trx)
      for (const { email, change } of changes)
        if (AFFECTS_ACCESS.includes(change)) changed({ email })
      // Tokens of other accounts may have been refused because of this binding.
      if (facts.removed) for (const { email } of records) changed({ email })
      return { records, changes }
    },
    { dryRun }
  )
}

/** Includes former addresses, so that their records are closed. */
async function claimRecords(
  {
    idpUserId,
    facts,
    mayClaim,
  }: { idpUserId: string; facts: ProviderUserFacts; mayClaim: (email: string) => boolean },
  trx: TransactionClientContract
) {
  const changes: RecordChange[] = []
  if (!isAcceptedOrganisation(facts.orgId?.value ?? null)) return changes
  for (const fact of facts.emails) {
    const { value: email } = fact
    if (fact.claimed || !mayClaim(email)) continue
    const claim = await bindUser({ email, idpUserId, idpOrgId: facts.orgId?.value ?? null }, trx)
    if (claim.outcome === 'created') changes.push({ email, change: 'recorded' })
    if (claim.outcome === 'taken') changes.push({ email, change: 'identified' })
    if (claim.outcome === 'anothers') continue
    fact.claimed = true
    // Binding must not activate an inactive record.
    if (claim.outcome === 'taken' && !claim.user.active) {
      facts.active ??= { value: false, at: BEFORE_ALL_EVENTS }
    }
  }
  await updateProviderUserFacts(idpUserId, trx, () => facts)
  return changes
}

/** Includes unbound records of a removed account, because late events may be about them. */
function recordsOf(idpUserId: string, facts: ProviderUserFacts, trx: TransactionClientContract) {
  const claimedEmails = facts.emails.filter(({ claimed }) => claimed).map(({ value }) => value)
  return User.query({ client: trx })
    .where((query) => {
      void query.where((own) => void User.boundTo(own, idpUserId))
      if (!facts.removed) return
      void query.orWhere((own) => {
        void own
          .whereNull('idpUserId')
          .where('awaitsReactivation', true)
          .whereIn('email', claimedEmails)
      })
    })
    .orderBy('id')
    .forUpdate()
}

async function updateRecord(
  record: User,
  { facts, reactivatedAt }: { facts: ProviderUserFacts; reactivatedAt: string | undefined },
  trx: TransactionClientContract
): Promise<RecordChange[]> {
  const { email, active: wasActive } = record
  const changes: RecordChange[] = []
  if (await applyNameChanges(record, datedNames(facts), trx))
    changes.push({ email, change: 'renamed' })
  const statusAt = record.statusEventAt ?? BEFORE_ALL_EVENTS
  const isReactivated = reactivatedAt !== undefined && reactivatedAt > statusAt
  if (isReactivated) record.awaitsReactivation = false
  record.active = !record.awaitsReactivation && isActive(record, facts, isReactivated)
  if (facts.active && facts.active.at > statusAt) record.statusEventAt = facts.active.at
  if (facts.removed) record.release()
  else if (facts.orgId && facts.orgId.value !== record.idpOrgId) {
    record.idpOrgId = facts.orgId.value
    changes.push({ email, change: 'moved' })
  }
  if (record.active !== wasActive) {
    changes.push({ email, change: record.active ? 'reactivated' : 'deactivated' })
  }
  await record.save()
  return changes
}

function isActive(record: User, facts: ProviderUserFacts, isReactivated: boolean): boolean {
  const mayBeActive = !facts.removed && (facts.active?.value ?? true)
  const isReported = facts.emails.some(({ value }) => value === record.email)
  // Known from a token only.
  if (!isReported) return mayBeActive && (record.active || isReactivated)
  return record.email === currentEmail(facts) && mayBeActive
}
