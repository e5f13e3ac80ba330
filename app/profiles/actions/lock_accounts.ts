import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { serialize } from '#core/database/serialize'

/**
 * Makes transactions about the same accounts run one after another. Whoever changes an account and
 * records locks all accounts first and then the records, in the order of their addresses. Otherwise
 * two accounts that take turns with an address would wait for each other.
 */
export async function lockAccounts(
  subjects: (string | null | undefined)[],
  trx: TransactionClientContract
) {
  for (const subject of [...new Set(subjects)].sort()) {
    if (typeof subject === 'string') await serialize(trx, `account ${subject}`)
  }
}
