import type { Page } from '#core/http/paging'
import Broadcast from '#app/broadcasts/models/broadcast'

/** Returns one row more than the page holds. */
export function listBroadcasts(applicationId: number, page: Page) {
  return Broadcast.query()
    .where('applicationId', applicationId)
    .if(page.after, (query) => query.where('id', '<', page.after!))
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
}
