import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { changingAccessUnless } from '#core/database/changing_access_unless'
import { applyToldNames } from '#app/profiles/actions/apply_told_names'
import { claimUser } from '#app/profiles/actions/claim_user'
import User from '#app/profiles/models/user'
import { isAcceptedOrganisation } from '#app/profiles/values/account'
import { withProviderUser } from '#app/identity_provider/actions/with_provider_user'
import {
  BEFORE_EVERYTHING,
  type ProviderUserFacts,
  currentEmail,
  toldNames,
} from '#app/identity_provider/values/provider_user_facts'
import { isRecordable } from '#app/identity_provider/values/told_address'
import type { RecordChange } from '#app/identity_provider/values/record_change'

/** The other events change facts about a person, not what they may do. */
const ALTERS_ACCESS: RecordChange['change'][] = ['deactivated', 'reactivated', 'identified']

export interface Following {
  idpUserId: string
  learn: (facts: ProviderUserFacts) => ProviderUserFacts
  /** Whether a record of this address, also one that is nobody's, may become theirs; by default all may. */
  mayClaim?: (email: string) => boolean
  /**
   * Position of an event that reactivates the person: only such an event activates a record that
   * waits for one.
   */
  reopensAt?: string
  /** What else belongs to it. */
  also?: (records: User[], trx: TransactionClientContract) => Promise<void>
  dryRun?: boolean
}

/**
 * Learns something of a user of the provider and brings their records in line with it. A record
 * belongs to one of the provider's users: another one who is given its address does not get it, and
 * it is inactive once they left the address (docs/reference/identities.md). The records of a
 * removed account are released.
 *
 * @returns their records, and what changed of them; none for a user nobody here has heard of, of
 *   whom it is remembered
 */
export async function followProviderUser({
  idpUserId,
  learn,
  mayClaim = () => true,
  reopensAt,
  also = async () => {},
  dryRun = false,
}: Following): Promise<{ records: User[]; changes: RecordChange[] }> {
  return changingAccessUnless(dryRun, async (trx, changed) => {
    const facts = await withProviderUser(idpUserId, trx, learn)
    const changes = await claimRecords({ idpUserId, facts, mayClaim }, trx)
    const records = await recordsOf(idpUserId, facts, trx)
    for (const record of records) {
      changes.push(...(await bringInLine(record, { facts, reopensAt }, trx)))
    }
    await also(records, trx)
    for (const { email, change } of changes) if (ALTERS_ACCESS.includes(change)) changed({ email })
    // Tokens of other accounts may have been refused because of this binding.
    if (facts.removed) for (const { email } of records) changed({ email })
    return { records, changes }
  })
}

/** The records of every address they ever had, so that those they left are closed even if nobody had asked for them. */
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
  for (const told of facts.emails) {
    const { value: email } = told
    if (told.claimed || !isRecordable(email) || !mayClaim(email)) continue
    const claim = await claimUser({ email, idpUserId, idpOrgId: facts.orgId?.value ?? null }, trx)
    if (claim.outcome === 'created') changes.push({ email, change: 'recorded' })
    if (claim.outcome === 'taken') changes.push({ email, change: 'identified' })
    if (claim.outcome === 'anothers') continue
    told.claimed = true
    // Nobody becomes active by being identified.
    if (claim.outcome === 'taken' && !claim.user.active) {
      facts.active ??= { value: false, at: BEFORE_EVERYTHING }
    }
  }
  await withProviderUser(idpUserId, trx, () => facts)
  return changes
}

/**
 * For a removed account, also those it released and that are still unbound: late events may concern
 * them.
 */
function recordsOf(idpUserId: string, facts: ProviderUserFacts, trx: TransactionClientContract) {
  const left = facts.emails.filter(({ claimed }) => claimed).map(({ value }) => value)
  return User.query({ client: trx })
    .where((any) => {
      void any.where((own) => void User.belongingTo(own, idpUserId))
      if (!facts.removed) return
      void any.orWhere((own) => {
        void own.whereNull('idpUserId').where('awaitsReactivation', true).whereIn('email', left)
      })
    })
    .orderBy('id')
    .forUpdate()
}

async function bringInLine(
  record: User,
  { facts, reopensAt }: { facts: ProviderUserFacts; reopensAt: string | undefined },
  trx: TransactionClientContract
): Promise<RecordChange[]> {
  const { email, active: wasActive } = record
  const changes: RecordChange[] = []
  if (await applyToldNames(record, toldNames(facts), trx))
    changes.push({ email, change: 'renamed' })
  const statusAt = record.statusEventAt ?? BEFORE_EVERYTHING
  const isReopened = reopensAt !== undefined && reopensAt > statusAt
  if (isReopened) record.awaitsReactivation = false
  record.active = !record.awaitsReactivation && isActive(record, facts, isReopened)
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

function isActive(record: User, facts: ProviderUserFacts, isReopened: boolean): boolean {
  const mayBeActive = !facts.removed && (facts.active?.value ?? true)
  const isTold = facts.emails.some(({ value }) => value === record.email)
  // Known from a token alone.
  if (!isTold) return mayBeActive && (record.active || isReopened)
  return record.email === currentEmail(facts) && mayBeActive
}
