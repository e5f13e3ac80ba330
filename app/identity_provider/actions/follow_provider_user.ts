import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { changingAccessUnless } from '#core/database/changing_access_unless'
import { applyToldNames } from '#app/profiles/actions/apply_told_names'
import { claimUser } from '#app/profiles/actions/claim_user'
import User from '#app/profiles/models/user'
import ProviderUser from '#app/identity_provider/models/provider_user'
import { withProviderUser } from '#app/identity_provider/actions/with_provider_user'
import {
  BEFORE_EVERYTHING,
  type ProviderUserFacts,
  type ToldEmail,
  currentEmail,
  isTold,
  toldNames,
} from '#app/identity_provider/values/provider_user_facts'
import type { RecordChange } from '#app/identity_provider/values/record_change'

export interface Following {
  idpUserId: string
  learn: (facts: ProviderUserFacts) => ProviderUserFacts
  /** Whether a record of this address, also one that is nobody's, may become theirs; by default all may. */
  mayClaim?: (email: string) => boolean
  /** What else belongs to it. */
  also?: (records: User[], trx: TransactionClientContract) => Promise<void>
  dryRun?: boolean
}

/**
 * Learns something of a user of the provider and brings their records in line with it. A record belongs to one of the
 * provider's users: another one who is given its address does not get it, and it is inactive once they left the address
 * (docs/how-to/connect-zitadel.md).
 *
 * @returns their records, and what changed of them; none for a user nobody here has heard of, of whom it is remembered
 */
export async function followProviderUser({
  idpUserId,
  learn,
  mayClaim = () => true,
  also = async () => {},
  dryRun = false,
}: Following): Promise<{ records: User[]; changes: RecordChange[] }> {
  return changingAccessUnless(dryRun, async (trx, changed) => {
    const facts = await withProviderUser(idpUserId, trx, learn)
    const changes = await claimRecords({ idpUserId, facts, mayClaim }, trx)
    const records = await User.query({ client: trx }).where({ idpUserId }).orderBy('id').forUpdate()
    for (const record of records) changes.push(...(await bringInLine(record, facts, trx)))
    await also(records, trx)
    for (const { email, change } of changes) {
      if (change === 'deactivated' || change === 'reactivated') changed({ email })
    }
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
  for (const told of facts.emails) {
    const { value: email } = told
    if (!mayClaim(email)) continue
    const claim = await claimUser({ email, idpUserId, idpOrgId: facts.orgId?.value ?? null }, trx)
    if (claim.outcome === 'created') changes.push({ email, change: 'recorded' })
    if (claim.outcome === 'taken') changes.push({ email, change: 'identified' })
    if (claim.outcome === 'anothers' && !(await takeBack(claim.user, idpUserId, told, trx)))
      continue
    told.claimed = true
    // Nobody becomes active by being identified.
    if (claim.outcome === 'taken' && !claim.user.active) {
      facts.active ??= { value: false, at: BEFORE_EVERYTHING }
    }
  }
  await withProviderUser(idpUserId, trx, () => facts)
  return changes
}

/** From somebody of whom the provider has told nothing: a token under this address named them in the meantime. */
async function takeBack(
  record: User,
  idpUserId: string,
  told: ToldEmail,
  trx: TransactionClientContract
) {
  if (!told.claimed) return false
  const other = await ProviderUser.findBy({ idpUserId: record.idpUserId }, { client: trx })
  if (isTold(other?.facts)) return false
  await record.merge({ idpUserId }).save()
  return true
}

async function bringInLine(
  record: User,
  facts: ProviderUserFacts,
  trx: TransactionClientContract
): Promise<RecordChange[]> {
  const { email, active: wasActive } = record
  const changes: RecordChange[] = []
  if (await applyToldNames(record, toldNames(facts), trx))
    changes.push({ email, change: 'renamed' })
  const orgId = facts.orgId?.value ?? record.idpOrgId
  const active = isActive(record, facts)
  if (active !== wasActive) changes.push({ email, change: active ? 'reactivated' : 'deactivated' })
  if (orgId !== record.idpOrgId) changes.push({ email, change: 'moved' })
  await record.merge({ active, idpOrgId: orgId }).save()
  return changes
}

function isActive(record: User, facts: ProviderUserFacts): boolean {
  const mayBeActive = facts.active?.value ?? true
  if (facts.emails.every(({ value }) => value !== record.email)) return record.active && mayBeActive
  return record.email === currentEmail(facts) && mayBeActive
}
