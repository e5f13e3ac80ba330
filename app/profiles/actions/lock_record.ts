import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { lockUntilCommit } from '#core/database/lock_until_commit'
import { TransactionConflict } from '#core/database/transaction'
import { lockAccounts } from '#app/profiles/actions/lock_accounts'
import User from '#app/profiles/models/user'

/**
 * Locks these accounts and that of the record, then the record (see `lockAccounts`).
 * @throws TransactionConflict if the record has been bound to another account in the meantime
 */
export async function lockRecord(
  email: string,
  subjects: (string | null)[],
  trx: TransactionClientContract
): Promise<User | null> {
  // Otherwise many concurrent changes of one record would keep making each other retry.
  await lockUntilCommit(trx, `record ${email}`)
  const known = await User.findBy({ email }, { client: trx })
  const accounts = [...subjects, known?.idpUserId ?? null]
  await lockAccounts(accounts, trx)
  const record = await User.query({ client: trx }).where({ email }).forUpdate().first()
  if (record && record.idpUserId !== null && !accounts.includes(record.idpUserId)) {
    throw new TransactionConflict()
  }
  return record
}
