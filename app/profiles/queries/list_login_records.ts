import type { Page } from '#core/http/paging'
import LoginRecord from '#app/profiles/models/login_record'

export interface LoginRecordFilter {
  email?: string
  /** Of these applications only. */
  appCodes?: string[]
}

/** One page of records by descending id, with one row more than the page holds. */
export function listLoginRecords({ email, appCodes }: LoginRecordFilter, page: Page) {
  return LoginRecord.query()
    .if(email, (query) => query.where('email', email!))
    .if(appCodes, (query) => query.whereIn('appCode', appCodes!))
    .if(page.after, (query) => query.where('id', '<', page.after!))
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
}
