import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { lockUntilCommit } from '#core/database/lock_until_commit'
import type Application from '#app/applications/models/application'

/** Serializes, per application, changes of permissions and writes that depend on their types. */
export function lockPermissions(application: Application, trx: TransactionClientContract) {
  return lockUntilCommit(trx, `permissions:${application.id}`)
}
