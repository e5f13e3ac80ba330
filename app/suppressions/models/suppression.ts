import { column } from '@adonisjs/lucid/orm'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { SuppressionSchema } from '#database/schema'
import { suppressedKeys } from '#app/suppressions/values/suppressed_keys'
import type { SuppressionReason } from '#app/suppressions/values/suppression_reason'

/** An address that gets no mail. */
export default class Suppression extends SuppressionSchema {
  @column()
  declare reason: SuppressionReason

  static findOfAddress(email: string, client: TransactionClientContract) {
    return this.query({ client }).whereIn('email', suppressedKeys(email)).forUpdate().first()
  }
}
