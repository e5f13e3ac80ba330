import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { lockUntilCommit } from '#core/database/lock_until_commit'

/** Also locks a version that does not exist yet. */
export function lockVersion(templateId: number, locale: string, trx: TransactionClientContract) {
  return lockUntilCommit(trx, `template_version:${templateId}:${locale}`)
}
