import type { Page } from '#core/http/paging'
import Notification from '#app/notifications/models/notification'

export interface InboxFilter {
  unreadOnly?: boolean
  appCode?: string
}

/** Uses the condition of the partial indexes, so that the database uses them. */
export function inboxOf(email: string, { unreadOnly, appCode }: InboxFilter = {}) {
  return Notification.query()
    .where('email', email)
    .whereRaw('in_inbox = true')
    .if(unreadOnly, (query) => query.whereNull('readAt'))
    .if(appCode !== undefined, (query) => query.where('appCode', appCode!))
}

/** One more row than the page, by descending id; `id + 0` matches the indexes. */
export function inboxPage(email: string, filter: InboxFilter, page: Page) {
  return inboxOf(email, filter)
    .if(page.after, (query) => query.whereRaw('id + 0 < ?', [page.after!]))
    .orderByRaw('id + 0 desc')
    .limit(page.limit + 1)
}

export async function countUnread(email: string): Promise<number> {
  const [{ $extras }] = await inboxOf(email, { unreadOnly: true }).count('* as total')
  return Number($extras.total)
}
