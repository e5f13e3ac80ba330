import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { Page } from '#core/http/paging'
import Suppression from '#app/suppressions/models/suppression'
import { suppressedKeys } from '#app/suppressions/values/suppressed_keys'
import type { SuppressionReason } from '#app/suppressions/values/suppression_reason'

export interface SuppressionFilter {
  email?: string
  reason?: SuppressionReason
}

/** A page and one more row. The newest comes first. */
export function suppressionPage(
  { email, reason }: SuppressionFilter,
  page: Page,
  client?: TransactionClientContract
) {
  return Suppression.query({ client })
    .if(email !== undefined, (query) => query.whereIn('email', suppressedKeys(email!)))
    .if(reason, (query) => query.where('reason', reason!))
    .if(page.after, (query) => query.where('id', '<', page.after!))
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
}
