import { RowSizes } from '#core/database/row_sizes'
import { type Page, sizedPage } from '#core/http/paging'
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

const sizes = new RowSizes('notifications', ['payload', 'subject', 'status_reason'])

/** The newest item comes first. */
export async function readInbox(email: string, filter: InboxFilter, page: Page) {
  return sizedPage({
    found: await inboxPage(email, filter, page),
    page,
    sizes,
    read: (ids) => Notification.query().whereIn('id', ids),
  })
}

/** The ids of a page and one more, in descending order; `id + 0` matches the indexes. */
export function inboxPage(email: string, filter: InboxFilter, page: Page) {
  return inboxOf(email, filter)
    .select('id')
    .if(page.after, (query) => query.whereRaw('id + 0 < ?', [page.after!]))
    .orderByRaw('id + 0 desc')
    .limit(page.limit + 1)
}

export async function countUnread(email: string): Promise<number> {
  const [{ $extras }] = await inboxOf(email, { unreadOnly: true }).count('* as total')
  return Number($extras.total)
}
