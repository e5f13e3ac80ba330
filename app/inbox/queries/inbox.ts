import { DateTime } from 'luxon'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { toDatabaseTimestamp } from '#core/database/columns'
import { RowSizes } from '#core/database/row_sizes'
import { cursorOf, sizedPage } from '#core/http/paging'
import { type InboxPage, inboxCursor } from '#app/inbox/values/inbox_page'
import { readInboxItems } from '#app/inbox/queries/inbox_items'
import Notification from '#app/notifications/models/notification'

export interface InboxFilter {
  unreadOnly?: boolean
  appCode?: string
  /** Only what is in the archive, instead of what is not */
  archived?: boolean
  /** Only what is hidden until later, instead of what is not */
  snoozed?: boolean
}

/** When an item appeared, as in the indexes. */
export const SHOWN = 'coalesce(shown_at, created_at)'

/** All items of a user, archived and snoozed ones included. */
export function itemsOf(email: string, client?: TransactionClientContract) {
  return Notification.query({ client }).where('email', email).whereRaw('in_inbox = true')
}

export function inboxOf(
  email: string,
  filter: InboxFilter = {},
  client?: TransactionClientContract
) {
  return filtered(itemsOf(email, client), filter)
}

/** Uses the conditions of the partial indexes, so that the database uses them. */
function filtered(
  items: ReturnType<typeof itemsOf>,
  { unreadOnly, appCode, archived, snoozed }: InboxFilter
) {
  const now = toDatabaseTimestamp(DateTime.utc())
  return items
    .whereRaw(archived ? 'archived_at is not null' : 'archived_at is null')
    .if(unreadOnly, (query) => query.whereRaw('read_at is null'))
    .if(appCode !== undefined, (query) => ofApplication(query, appCode!))
    .if(snoozed, (query) => query.where('snoozedUntil', '>', now))
    .if(!snoozed, (query) =>
      query.where((either) => either.whereNull('snoozedUntil').orWhere('snoozedUntil', '<=', now))
    )
}

/** Without the items of a former application with the same code. */
function ofApplication(items: ReturnType<typeof itemsOf>, appCode: string) {
  return items.where('appCode', appCode).whereRaw(
    `not exists (select 1 from applications
        where code = ? and applications.created_at > notifications.created_at)`,
    [appCode]
  )
}

const sizes = new RowSizes('notifications', [
  'payload',
  'subject',
  'status_reason',
  'body_text',
  'body_html',
])

/** The newest item comes first. `next` is the cursor of the next page. */
export async function readInbox(email: string, filter: InboxFilter, page: InboxPage) {
  const { rows: items, nextAfter } = await sizedPage({
    found: await inboxPage(email, filter, page).pojo<{ id: number }>(),
    page,
    sizes,
    read: readInboxItems,
  })
  const last = items.at(-1)
  if (nextAfter === null) return { items, next: null }
  return { items, next: last ? inboxCursor(last) : cursorOf('id', nextAfter) }
}

/** The ids of a page and one more, the newest first. */
export function inboxPage(
  email: string,
  filter: InboxFilter,
  { after, afterAt, limit }: InboxPage
) {
  const stored = `(select ${SHOWN} from notifications where id = ? and email = ?)`
  const [lastAt, known] = afterAt
    ? [`coalesce(${stored}, ?)`, [toDatabaseTimestamp(afterAt)]]
    : [stored, []]
  return inboxOf(email, filter)
    .select('id')
    .if(after, (query) => {
      const values = [after!, email, ...known, after!]
      return query.whereRaw(`(${SHOWN}, id) < (${lastAt}, ?)`, values)
    })
    .orderByRaw(`${SHOWN} desc, id desc`)
    .limit(limit + 1)
}

export async function countUnread(email: string): Promise<number> {
  const [{ $extras }] = await inboxOf(email, { unreadOnly: true }).count('* as total')
  return Number($extras.total)
}

/** Of each of these users. */
export async function unreadCounts(emails: string[]): Promise<Map<string, number>> {
  const items = Notification.query().whereIn('email', emails).whereRaw('in_inbox = true')
  const rows = await filtered(items, { unreadOnly: true })
    .groupBy('email')
    .select('email')
    .count('* as total')
    .pojo<{ email: string; total: number | string }>()
  const totals = new Map(rows.map(({ email, total }) => [email, Number(total)]))
  return new Map(emails.map((email) => [email, totals.get(email) ?? 0]))
}
