import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { lockUntilCommit } from '#core/database/lock_until_commit'
import type Application from '#app/applications/models/application'

/** One lock per application, because an import changes the roles of thousands of users. */
export function lockUserRoles(application: Application, trx: TransactionClientContract) {
  return lockUntilCommit(trx, `user_roles:${application.id}`)
}
