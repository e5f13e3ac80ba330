import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { serialize } from '#core/database/serialize'

/** Writers of brands, languages and user pools take turns: their rules span rows, and they are rare. */
export function lockPlatform(trx: TransactionClientContract) {
  return serialize(trx, 'platform')
}
