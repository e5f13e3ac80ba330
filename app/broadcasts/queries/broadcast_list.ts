import type { Page } from '#core/http/paging'
import Broadcast from '#app/broadcasts/models/broadcast'

/** The list does not show a broadcast's data, which can have 64 KiB. */
const SHOWN = Broadcast.$columns.filter((name) => name !== 'data')

/** One page of an application's broadcasts, the latest first, with one row more than the page holds. */
export function broadcastPage(applicationId: number, page: Page) {
  return Broadcast.query()
    .select(...SHOWN)
    .where('applicationId', applicationId)
    .if(page.after, (query) => query.where('id', '<', page.after!))
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
}
