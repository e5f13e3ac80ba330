import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { lockUntilCommit } from '#core/database/lock_until_commit'

/** Writers of brands, languages and user pools take turns: their rules span rows, and they are rare. */
export function lockPlatform(trx: TransactionClientContract) {
  return lockUntilCommit(trx, 'platform')
}
