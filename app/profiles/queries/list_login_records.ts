import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { Page } from '#core/http/paging'
import LoginRecord from '#app/profiles/models/login_record'

export interface LoginRecordFilter {
  email?: string
  appCode?: string
  /** Excludes records of deleted applications with the same codes. */
  applicationIds?: number[]
}

/** Returns one row more than the page holds. */
export function listLoginRecords(
  { email, appCode, applicationIds }: LoginRecordFilter,
  page: Page,
  client?: TransactionClientContract
) {
  return LoginRecord.query({ client })
    .if(email, (query) => query.where('email', email!))
    .if(appCode !== undefined, (query) => query.where('appCode', appCode!))
    .if(applicationIds, (query) =>
      query.whereExists((application) =>
        application
          .from('applications')
          .whereColumn('applications.code', 'login_records.app_code')
          .whereColumn('applications.created_at', '<=', 'login_records.occurred_at')
          .whereIn('applications.id', applicationIds!)
      )
    )
    .if(page.after, (query) => query.where('id', '<', page.after!))
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
}
