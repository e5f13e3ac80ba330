import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { DateTime } from 'luxon'
import { toDatabase } from '#core/database/columns'
import User from '#app/profiles/models/user'
import ProviderUser from '#app/identity_provider/models/provider_user'
import {
  BEFORE_EVERYTHING,
  NO_FACTS,
  type ProviderUserFacts,
} from '#app/identity_provider/values/provider_user_facts'

/** Changes what is known of a user of the provider, whose account must be locked. */
export async function withProviderUser(
  idpUserId: string,
  trx: TransactionClientContract,
  change: (facts: ProviderUserFacts) => ProviderUserFacts
): Promise<ProviderUserFacts> {
  const { known, save } = await readProviderUser(idpUserId, trx)
  return save(change(known))
}

/**
 * What is known of a user of the provider, in the beginning what their records here say. Their
 * account must be locked.
 */
export async function readProviderUser(idpUserId: string, trx: TransactionClientContract) {
  const now = toDatabase(DateTime.utc())
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
  // A copy, so that the model notices what is changed in it.
  const known = structuredClone(row.facts) ?? (await factsOfRecords(idpUserId, trx))
  return { known, save }
}

async function factsOfRecords(idpUserId: string, trx: TransactionClientContract) {
  // The newest one, should they have come under several addresses.
  const user = await User.query({ client: trx }).where({ idpUserId }).orderBy('id', 'desc').first()
  if (!user) return NO_FACTS
  const facts: ProviderUserFacts = {
    ...NO_FACTS,
    emails: [{ value: user.email, at: BEFORE_EVERYTHING }],
  }
  return user.active ? facts : { ...facts, active: { value: false, at: BEFORE_EVERYTHING } }
}
