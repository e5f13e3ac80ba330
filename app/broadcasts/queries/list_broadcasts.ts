import type { Page } from '#core/http/paging'
import Broadcast from '#app/broadcasts/models/broadcast'

// The list does not show the data, which can have 64 KiB.
const LISTED_COLUMNS = Broadcast.$columns.filter((name) => name !== 'data')

/** Returns one row more than the page holds. */
export function listBroadcasts(applicationId: number, page: Page) {
  return Broadcast.query()
    .select(...LISTED_COLUMNS)
    .where('applicationId', applicationId)
    .if(page.after, (query) => query.where('id', '<', page.after!))
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
}
