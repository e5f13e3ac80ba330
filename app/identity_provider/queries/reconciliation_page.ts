import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { Page } from '#core/http/paging'
import ReconciliationRecord from '#app/identity_provider/models/reconciliation_record'

/** A page and one more row. The newest comes first. */
export const reconciliationPage = (page: Page, client?: TransactionClientContract) =>
  ReconciliationRecord.query({ client })
    .if(page.after, (query) => query.where('id', '<', page.after!))
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
