import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { createUser } from '#app/profiles/actions/ensure_user'
import User from '#app/profiles/models/user'
import { isAcceptedOrganisation } from '#app/profiles/values/account'
import { canHaveRecord } from '#app/identity_provider/user_lifecycle/provider_address'
import {
  type ProviderUserFacts,
  type DatedEmail,
  latestEmails,
} from '#app/identity_provider/user_lifecycle/provider_user_facts'
import type { RecordChange } from '#app/identity_provider/user_lifecycle/user_record_change'

export interface Claims {
  emails: DatedEmail[]
  /** Those whose records were created for the account. */
  created: string[]
}

/**
 * The addresses whose records the account may get, including previous ones, so that their records
 * are closed. Creates the missing records.
 */
export async function prepareClaims(
  facts: ProviderUserFacts,
  mayClaim: (email: string) => boolean,
  trx: TransactionClientContract
): Promise<Claims> {
  if (!isAcceptedOrganisation(facts.orgId?.value ?? null)) return { emails: [], created: [] }
  const emails = latestEmails(facts).filter(
    ({ value, claimed }) => !claimed && canHaveRecord(value) && mayClaim(value)
  )
  return { emails, created: await createMissing(emails, trx) }
}

/** Creates the records in the order in which transactions lock them. */
async function createMissing(claimed: DatedEmail[], trx: TransactionClientContract) {
  const emails = claimed.map(({ value }) => value).sort()
  if (emails.length === 0) return []
  const known = await User.query({ client: trx }).select('email').whereIn('email', emails)
  const missing = emails.filter((email) => !known.some((user) => user.email === email))
  for (const email of missing) await createUser({ email }, trx)
  return missing
}

/**
 * Binds locked records to the account. A record created otherwise requires an account that has
 * proved the address, because anyone can register with it.
 */
export function claimRecords(
  records: User[],
  { emails, created }: Claims,
  { idpUserId, facts }: { idpUserId: string; facts: ProviderUserFacts }
): RecordChange[] {
  const orgId = facts.orgId?.value ?? null
  const byEmail = new Map(records.map((record) => [record.email, record]))
  return emails.flatMap((fact): RecordChange[] => {
    const { value: email, verified } = fact
    const user = byEmail.get(email)!
    const isOwn = user.isBoundTo(idpUserId)
    const isNew = user.idpUserId === null && (created.includes(email) || !user.identityVerified)
    fact.claimed = isOwn || isNew || (verified === true && mayBind(user, { idpUserId, orgId }))
    if (isOwn || !fact.claimed) return []
    user.discardUnverifiedIdentity()
    user.bindTo(idpUserId, orgId)
    user.identityVerified = verified === true
    return [{ email, change: created.includes(email) ? 'recorded' : 'identified' }]
  })
}

function mayBind(
  user: User,
  { idpUserId, orgId }: { idpUserId: string; orgId: string | null }
): boolean {
  if (!user.canBindTo(idpUserId)) return false
  const isOfAnotherOrganisation =
    user.idpOrgId !== null && orgId !== null && user.idpOrgId !== orgId
  return !isOfAnotherOrganisation || !user.identityVerified
}
