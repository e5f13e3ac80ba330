import { DateTime } from 'luxon'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { toDatabaseTimestamp } from '#core/database/columns'
import { RowSizes } from '#core/database/row_sizes'
import { type Page, sizedPage } from '#core/http/paging'
import Notification from '#app/notifications/models/notification'

export interface InboxFilter {
  unreadOnly?: boolean
  appCode?: string
  /** Only what is in the archive, instead of what is not */
  archived?: boolean
  /** Only what is hidden until later, instead of what is not */
  snoozed?: boolean
}

/** As in the indexes. */
const SHOWN = 'coalesce(shown_at, created_at)'

/** All items of a user, archived and snoozed ones included. */
export function itemsOf(email: string, client?: TransactionClientContract) {
  return Notification.query({ client }).where('email', email).whereRaw('in_inbox = true')
}

/** Uses the conditions of the partial indexes, so that the database uses them. */
export function inboxOf(
  email: string,
  { unreadOnly, appCode, archived, snoozed }: InboxFilter = {},
  client?: TransactionClientContract
) {
  const now = toDatabaseTimestamp(DateTime.utc())
  return itemsOf(email, client)
    .whereRaw(archived ? 'archived_at is not null' : 'archived_at is null')
    .if(unreadOnly, (query) => query.whereRaw('read_at is null'))
    .if(appCode !== undefined, (query) => query.where('appCode', appCode!))
    .if(snoozed, (query) => query.where('snoozedUntil', '>', now))
    .if(!snoozed, (query) =>
      query.where((either) => either.whereNull('snoozedUntil').orWhere('snoozedUntil', '<=', now))
    )
}

const sizes = new RowSizes('notifications', [
  ...['payload', 'subject', 'status_reason'],
  ...['body_text', 'body_html'],
])

/** The newest item comes first. */
export async function readInbox(email: string, filter: InboxFilter, page: Page) {
  return sizedPage({
    found: await inboxPage(email, filter, page),
    page,
    sizes,
    read: (ids) => Notification.query().whereIn('id', ids),
  })
}

/** The ids of a page and one more, the newest first. */
export function inboxPage(email: string, filter: InboxFilter, page: Page) {
  const last = `(select ${SHOWN}, id from notifications where id = ? and email = ?)`
  return inboxOf(email, filter)
    .select('id')
    .if(page.after, (query) => query.whereRaw(`(${SHOWN}, id) < ${last}`, [page.after!, email]))
    .orderByRaw(`${SHOWN} desc, id desc`)
    .limit(page.limit + 1)
}

export async function countUnread(email: string): Promise<number> {
  const [{ $extras }] = await inboxOf(email, { unreadOnly: true }).count('* as total')
  return Number($extras.total)
}
