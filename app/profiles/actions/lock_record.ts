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
  const accounts = await lockAccountsOf(email, subjects, trx)
  const record = await User.query({ client: trx }).where({ email }).forUpdate().first()
  requireLockedAccount(record, accounts)
  return record
}

/**
 * Does the same with all records of these accounts, in the order in which transactions lock them.
 * @throws TransactionConflict if the record has been bound to another account in the meantime
 */
export async function lockRecords(
  email: string,
  subjects: (string | null)[],
  trx: TransactionClientContract
): Promise<{ record: User | null; records: User[] }> {
  const accounts = await lockAccountsOf(email, subjects, trx)
  const records = await User.query({ client: trx })
    .where({ email })
    .orWhereIn('idpUserId', accounts)
    .orderBy('email')
    .forUpdate()
  const record = records.find((one) => one.email === email) ?? null
  requireLockedAccount(record, accounts)
  return { record, records }
}

async function lockAccountsOf(
  email: string,
  subjects: (string | null)[],
  trx: TransactionClientContract
): Promise<string[]> {
  // Otherwise many concurrent changes of one record would keep making each other retry.
  await lockUntilCommit(trx, `record ${email}`)
  const known = await User.findBy({ email }, { client: trx })
  const accounts = [...subjects, known?.idpUserId ?? null].filter((one) => one !== null)
  await lockAccounts(accounts, trx)
  return accounts
}

function requireLockedAccount(record: User | null, accounts: string[]) {
  if (record && record.idpUserId !== null && !accounts.includes(record.idpUserId)) {
    throw new TransactionConflict()
  }
}
