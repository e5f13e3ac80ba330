import { createHash } from 'node:crypto'
import { DateTime } from 'luxon'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { toDatabaseTimestamp } from '#core/database/columns'
import { toPlainRow } from '#core/database/plain_rows'
import { PreparedQuery } from '#core/database/prepared_query'
import { MAX_PAGE_BYTES } from '#core/http/paging'
import { type InboxPage, inboxCursor } from '#app/inbox/values/inbox_page'
import { ITEM_COLUMNS, type InboxItem, itemSizes } from '#app/inbox/queries/inbox_items'
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

function filtered(items: ReturnType<typeof itemsOf>, filter: InboxFilter) {
  for (const { sql, values } of conditionsOf(filter)) void items.whereRaw(sql, values)
  return items
}

/** With a `?` for each value. */
interface Condition {
  sql: string
  values: (string | number)[]
}

/** Uses the conditions of the partial indexes, so that the database uses them. */
function conditionsOf({ unreadOnly, appCode, archived, snoozed }: InboxFilter): Condition[] {
  const now = toDatabaseTimestamp(DateTime.utc())
  const conditions = [
    always(archived ? 'archived_at is not null' : 'archived_at is null'),
    snoozed
      ? { sql: 'snoozed_until > ?', values: [now] }
      : { sql: '(snoozed_until is null or snoozed_until <= ?)', values: [now] },
  ]
  if (unreadOnly) conditions.push(always('read_at is null'))
  if (appCode !== undefined) conditions.push(isOfApplication(appCode))
  return conditions
}

const always = (sql: string): Condition => ({ sql, values: [] })

/** Leaves out the items of a former application with the same code. */
const isOfApplication = (appCode: string): Condition => ({
  sql: `app_code = ? and not exists (select 1 from applications
    where code = ? and applications.created_at > notifications.created_at)`,
  values: [appCode, appCode],
})

function isAfter(email: string, { after, afterAt }: InboxPage): Condition[] {
  if (after === null) return []
  const stored = `(select ${SHOWN} from notifications where id = ? and email = ?)`
  const shown = afterAt ? `coalesce(${stored}, ?)` : stored
  const known = [after, email, ...(afterAt ? [toDatabaseTimestamp(afterAt)] : [])]
  return [
    // SQLite does not search the index of an expression for a pair.
    { sql: `${SHOWN} <= ${shown}`, values: known },
    { sql: `(${SHOWN}, id) < (${shown}, ?)`, values: [...known, after] },
  ]
}

/** Finds a page and one more item, the newest first. */
export function newestItems(email: string, filter: InboxFilter, page: InboxPage): Condition {
  const conditions = [
    { sql: 'email = ? and in_inbox = true', values: [email] },
    ...conditionsOf(filter),
    ...isAfter(email, page),
  ]
  return {
    sql: `select id, ${SHOWN} as shown from notifications
      where ${conditions.map(({ sql }) => sql).join(' and ')}
      order by ${SHOWN} desc, id desc limit ?`,
    values: [...conditions.flatMap(({ values }) => values), page.limit + 1],
  }
}

type PageRow = Record<string, unknown> & { found: number }

/** By the SQL of `newestItems`, of which there is one for each kind of filter. */
const pageQueries = new Map<string, PreparedQuery<PageRow>>()

/**
 * Reads in one statement as many items of a page as fit its size, and at least one. The newest
 * comes first. `next` is the cursor of the next page.
 */
export async function readInbox(email: string, filter: InboxFilter, page: InboxPage) {
  const { sql, values } = newestItems(email, filter, page)
  const query = pageQueries.get(sql) ?? preparePage(sql, values.length)
  const rows = await query.all([...values, MAX_PAGE_BYTES])
  const items = rows.map((row) => toPlainRow(Notification, row) as InboxItem)
  const hasMore = rows.length > 0 && rows.length < rows[0].found
  return { items, next: hasMore ? inboxCursor(items[items.length - 1]) : null }
}

function preparePage(newest: string, count: number) {
  let place = 0
  const [most, bytes] = [`$${count}`, `$${count + 1}`]
  const sql = `with recursive newest as materialized (
      select id, row_number() over (order by shown desc, id desc) as place
      from (${newest.replace(/\?/g, () => `$${++place}`)}) as ordered
    ),
    ${itemSizes.reached('newest', bytes)}
    select ${ITEM_COLUMNS.map((name) => `item.${name}`).join(', ')},
      cast((select count(*) from newest) as integer) as found
    from newest join notifications item on item.id = newest.id
    where newest.place < ${most} and (newest.place = 1
      or newest.place <= (select max(place) from reached where size <= ${bytes}))
    order by newest.place`
  const digest = createHash('sha256').update(sql).digest('hex').slice(0, 16)
  const query = new PreparedQuery<PageRow>(`inbox_page_${digest}`, sql)
  pageQueries.set(newest, query)
  return query
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
