import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { lockUntilCommit } from '#core/database/lock_until_commit'

/** Serializes writes of brands, languages and user pools, whose rules span several rows. */
export function lockPlatformData(trx: TransactionClientContract) {
  return lockUntilCommit(trx, 'platform')
}
