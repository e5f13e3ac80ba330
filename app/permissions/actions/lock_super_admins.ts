import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { lockUntilCommit } from '#core/database/lock_until_commit'

export function lockSuperAdmins(trx: TransactionClientContract) {
  return lockUntilCommit(trx, 'super_admins')
}
