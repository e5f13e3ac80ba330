import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { changingAccessUnless } from '#core/database/changing_access_unless'
import type { AccessScope } from '#core/events/access_changed'
import { applyToldNames } from '#app/profiles/actions/apply_told_names'
import { claimUser } from '#app/profiles/actions/claim_user'
import { createUser } from '#app/profiles/actions/ensure_user'
import { lockAccounts } from '#app/profiles/actions/lock_accounts'
import { saveUsers } from '#app/profiles/actions/save_users'
import User from '#app/profiles/models/user'
import { isAcceptedOrganisation } from '#app/profiles/values/account'
import { readProviderUser } from '#app/identity_provider/actions/with_provider_user'
import {
  BEFORE_EVERYTHING,
  type ProviderUserFacts,
  type ToldEmail,
  currentEmail,
  latestEmails,
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
 * removed account, and of addresses left long ago, are released.
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
    await lockAccounts([idpUserId], trx)
    const { known, save } = await readProviderUser(idpUserId, trx)
    const facts = learn(known)
    const isAccepted = isAcceptedOrganisation(facts.orgId?.value ?? null)
    const claimable = isAccepted
      ? latestEmails(facts).filter(
          ({ value, claimed }) => !claimed && isRecordable(value) && mayClaim(value)
        )
      : []
    const created = await createMissing(claimable, trx)
    const locked = await lockRecords(idpUserId, { facts, claimable }, trx)
    const changes = claimRecords(locked, { idpUserId, facts, claimable, created })
    const records = locked.filter((record) => isTheirs(record, { idpUserId, facts }))
    const bringInLine = bringingInLine(facts, reopensAt)
    for (const record of records) changes.push(...bringInLine(record))
    const forgotten = forgetLongLeft(records, facts)
    await saveUsers(locked, trx)
    await save(facts)
    await also(records, trx)
    const altered = changes.filter(({ change }) => ALTERS_ACCESS.includes(change))
    // Tokens of other accounts may have been refused because of these bindings.
    const released = facts.removed ? records : forgotten
    announce(new Set([...altered, ...released].map(({ email }) => email)), changed)
    return { records, changes }
  })
}

/** In the order of their addresses, as they are locked. */
async function createMissing(claimable: ToldEmail[], trx: TransactionClientContract) {
  const emails = claimable.map(({ value }) => value).sort()
  if (emails.length === 0) return []
  const known = await User.query({ client: trx }).select('email').whereIn('email', emails)
  const missing = emails.filter((email) => !known.some((user) => user.email === email))
  for (const email of missing) await createUser({ email }, trx)
  return missing
}

/**
 * All records that may be concerned. For a removed account, also those it released and that are
 * still unbound: late events may concern them.
 */
function lockRecords(
  idpUserId: string,
  { facts, claimable }: { facts: ProviderUserFacts; claimable: ToldEmail[] },
  trx: TransactionClientContract
) {
  const left = facts.removed ? facts.emails.filter(({ claimed }) => claimed) : []
  const emails = [...claimable, ...left].map(({ value }) => value)
  return User.query({ client: trx })
    .where((own) => void User.belongingTo(own, idpUserId))
    .if(emails.length > 0, (query) => void query.orWhereIn('email', emails))
    .orderBy('email')
    .forUpdate()
}

/** The records of every address they had, so that those they left are closed even if nobody had asked for them. */
function claimRecords(
  records: User[],
  {
    idpUserId,
    facts,
    claimable,
    created,
  }: { idpUserId: string; facts: ProviderUserFacts; claimable: ToldEmail[]; created: string[] }
) {
  const changes: RecordChange[] = []
  const byEmail = new Map(records.map((record) => [record.email, record]))
  for (const told of claimable) {
    const { value: email } = told
    const user = byEmail.get(email)!
    const outcome = claimUser(user, { idpUserId, idpOrgId: facts.orgId?.value ?? null })
    if (outcome === 'anothers') continue
    told.claimed = true
    if (created.includes(email)) changes.push({ email, change: 'recorded' })
    else if (outcome === 'taken') {
      changes.push({ email, change: 'identified' })
      // Nobody becomes active by being identified.
      if (!user.active) facts.active ??= { value: false, at: BEFORE_EVERYTHING }
    }
  }
  return changes
}

function isTheirs(
  record: User,
  { idpUserId, facts }: { idpUserId: string; facts: ProviderUserFacts }
): boolean {
  if (record.idpUserId !== null) return record.mayBelongTo(idpUserId)
  const isLeft = facts.emails.some(({ value, claimed }) => value === record.email && claimed)
  return facts.removed === true && record.awaitsReactivation && isLeft
}

function bringingInLine(facts: ProviderUserFacts, reopensAt: string | undefined) {
  const names = toldNames(facts)
  const isActive = activity(facts)
  return (record: User): RecordChange[] => {
    const { email, active: wasActive } = record
    const changes: RecordChange[] = []
    if (applyToldNames(record, names)) changes.push({ email, change: 'renamed' })
    const statusAt = record.statusEventAt ?? BEFORE_EVERYTHING
    const isReopened = reopensAt !== undefined && reopensAt > statusAt
    if (isReopened) record.awaitsReactivation = false
    record.active = !record.awaitsReactivation && isActive(record, isReopened)
    if (facts.active && facts.active.at > statusAt) record.statusEventAt = facts.active.at
    if (facts.removed) record.release()
    else if (facts.orgId && facts.orgId.value !== record.idpOrgId) {
      record.idpOrgId = facts.orgId.value
      changes.push({ email, change: 'moved' })
    }
    if (record.active !== wasActive) {
      changes.push({ email, change: record.active ? 'reactivated' : 'deactivated' })
    }
    return changes
  }
}

function activity(facts: ProviderUserFacts) {
  const mayBeActive = !facts.removed && (facts.active?.value ?? true)
  const told = new Set(facts.emails.map(({ value }) => value))
  const current = currentEmail(facts)
  return ({ email, active }: User, isReopened: boolean): boolean => {
    // Known from a token alone.
    if (!told.has(email)) return mayBeActive && (active || isReopened)
    return email === current && mayBeActive
  }
}

/**
 * Releases the records of addresses left long ago and forgets these addresses. Of records that were
 * taken from the account, the addresses are kept: it must not get them again.
 *
 * @returns the released records
 */
function forgetLongLeft(records: User[], facts: ProviderUserFacts): User[] {
  const kept = new Set(latestEmails(facts))
  const own = new Set(records.map(({ email }) => email))
  const forgotten = facts.emails.filter(
    (told) => !kept.has(told) && (!told.claimed || own.has(told.value))
  )
  if (forgotten.length === 0) return []
  const left = new Set(forgotten.map(({ value }) => value))
  facts.emails = facts.emails.filter(({ value }) => !left.has(value))
  const released = records.filter(({ email }) => left.has(email))
  for (const record of released) record.release()
  return released
}

/** Of more people than this, it is shorter to say that something has changed. */
const MOST_NAMED = 100

function announce(emails: Set<string>, changed: (scope: AccessScope) => void) {
  if (emails.size > MOST_NAMED) return changed({})
  for (const email of emails) changed({ email })
}
