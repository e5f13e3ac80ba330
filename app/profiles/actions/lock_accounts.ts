import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { lockUntilCommit } from '#core/database/lock_until_commit'

/**
 * Serialises transactions about the same accounts. To avoid deadlocks, every transaction locks all
 * its accounts first, then its records in the order of their addresses.
 */
export async function lockAccounts(
  subjects: (string | null | undefined)[],
  trx: TransactionClientContract
) {
  for (const subject of [...new Set(subjects)].sort()) {
    if (typeof subject === 'string') await lockUntilCommit(trx, `account ${subject}`)
  }
}
