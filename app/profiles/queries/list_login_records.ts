import type { Page } from '#core/http/paging'
import LoginRecord from '#app/profiles/models/login_record'

/** One page of records by descending id, with one row more than the page holds. */
export function listLoginRecords(whose: { email: string } | { appCode: string }, page: Page) {
  return LoginRecord.query()
    .where(whose)
    .if(page.after, (query) => query.where('id', '<', page.after!))
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
}
