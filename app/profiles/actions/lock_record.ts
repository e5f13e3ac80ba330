import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { serialize } from '#core/database/serialize'
import { CameBetween } from '#core/database/transaction'
import { lockAccounts } from '#app/profiles/actions/lock_accounts'
import User from '#app/profiles/models/user'

/**
 * Locks these accounts and that of the record, then the record (see `lockAccounts`).
 * @throws CameBetween if the record was bound to another account meanwhile
 */
export async function lockRecord(
  email: string,
  subjects: (string | null)[],
  trx: TransactionClientContract
): Promise<User | null> {
  // Otherwise many changes of one record at once would keep coming between each other.
  await serialize(trx, `record ${email}`)
  const known = await User.findBy({ email }, { client: trx })
  const accounts = [...subjects, known?.idpUserId ?? null]
  await lockAccounts(accounts, trx)
  const record = await User.query({ client: trx }).where({ email }).forUpdate().first()
  if (record && record.idpUserId !== null && !accounts.includes(record.idpUserId)) {
    throw new CameBetween()
  }
  return record
}
