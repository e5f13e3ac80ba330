import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import ErasedIdentity from '#app/profiles/models/erased_identity'
import User from '#app/profiles/models/user'
import ProviderUser from '#app/identity_provider/models/provider_user'
import {
  BEFORE_ALL_EVENTS,
  NO_FACTS,
  type ProviderUserFacts,
} from '#app/identity_provider/user_lifecycle/provider_user_facts'

/** Changes what is known about a user of the provider, whose account must be locked. */
export async function updateProviderUserFacts(
  idpUserId: string,
  trx: TransactionClientContract,
  change: (facts: ProviderUserFacts) => ProviderUserFacts
): Promise<ProviderUserFacts> {
  const { known, save } = await readProviderUser(idpUserId, trx)
  return save(change(known))
}

/**
 * Reads what is known about a user of the provider, initially from their records here. The account
 * must be locked.
 */
export async function readProviderUser(idpUserId: string, trx: TransactionClientContract) {
  const now = toDatabaseTimestamp(DateTime.utc())
  await trx
    .table('provider_users')
    .insert({ idp_user_id: idpUserId, created_at: now, updated_at: now })
    .onConflict('idp_user_id')
    .ignore()
  const row = await ProviderUser.findByOrFail({ idpUserId }, { client: trx })
  const save = async (facts: ProviderUserFacts) => {
    await row.merge({ facts }).save()
    return facts
  }
  // A copy, so that the model notices changes made in place.
  const known = structuredClone(row.facts) ?? (await initialFacts(idpUserId, trx))
  return { known, save }
}

/** What is still known about an account whose user was erased (profiles.md#after-an-erasure). */
export async function erasedFacts(
  idpUserId: string,
  trx: TransactionClientContract
): Promise<ProviderUserFacts> {
  const erased = await ErasedIdentity.findAccount(idpUserId, trx)
  if (!erased || erased.active) return NO_FACTS
  const active = { value: false, at: erased.erasedAt, isDecision: true }
  return { ...NO_FACTS, active, removed: erased.removed || undefined }
}

async function initialFacts(idpUserId: string, trx: TransactionClientContract) {
  const erased = await erasedFacts(idpUserId, trx)
  // A user may have used several addresses. Take the newest.
  const user = await User.query({ client: trx }).where({ idpUserId }).orderBy('id', 'desc').first()
  if (!user) return erased
  const facts: ProviderUserFacts = {
    ...erased,
    emails: [{ value: user.email, at: BEFORE_ALL_EVENTS, verified: user.identityVerified }],
  }
  // A record that awaits reactivation was closed because of another account.
  if (user.active || user.awaitsReactivation || facts.active) return facts
  return { ...facts, active: { value: false, at: BEFORE_ALL_EVENTS } }
}
