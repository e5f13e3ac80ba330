import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { changingAccess } from '#core/database/changing_access'
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

/** What became of one record. */
export interface RecordChange {
  email: string
  change: 'recorded' | 'deactivated' | 'reactivated' | 'renamed' | 'identified'
}

/**
 * Learns something of a user of the provider and brings their records in line with it. A record belongs to one of the
 * provider's users: another one who is given its address does not get it, and it is inactive once they left the address
 * (docs/how-to/connect-zitadel.md).
 *
 * @returns their records, and what changed of them; none for a user nobody here has heard of, of whom it is remembered
 */
export async function followProviderUser(
  idpUserId: string,
  learn: (facts: ProviderUserFacts) => ProviderUserFacts,
  also: (records: User[], trx: TransactionClientContract) => Promise<void> = async () => {}
): Promise<{ records: User[]; changes: RecordChange[] }> {
  return changingAccess(async (trx, changed) => {
    const facts = await withProviderUser(idpUserId, trx, learn)
    const changes = await claimRecords(idpUserId, facts, trx)
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
  idpUserId: string,
  facts: ProviderUserFacts,
  trx: TransactionClientContract
) {
  const changes: RecordChange[] = []
  for (const told of facts.emails) {
    const { value: email } = told
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
  await record.merge({ active, idpOrgId: orgId }).save()
  return changes
}

function isActive(record: User, facts: ProviderUserFacts): boolean {
  const mayBeActive = facts.active?.value ?? true
  if (facts.emails.every(({ value }) => value !== record.email)) return record.active && mayBeActive
  return record.email === currentEmail(facts) && mayBeActive
}
