import { type DateTime } from 'luxon'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { toDatabaseTimestamp } from '#core/database/columns'
import { RowSizes } from '#core/database/row_sizes'
import { type Page, sizedPage } from '#core/http/paging'
import Notification from '#app/notifications/models/notification'
import type { NotificationStatus } from '#app/notifications/values/notification_status'

export interface LogFilter {
  appCode?: string
  recipientEmail?: string
  /** Hides the entries of an earlier application with the same code */
  since?: DateTime
  status?: NotificationStatus
  type?: string
  broadcastId?: number
  from?: DateTime
  /** Exclusive; `from` is inclusive */
  to?: DateTime
}

// Bodies and explanations are read alone, the payload can have 1 MiB.
const HIDDEN = ['payload', 'sensitiveVariables', 'bodyText', 'bodyHtml', 'explanation'] as const
type HiddenColumn = (typeof HIDDEN)[number]
export type LogEntry = Omit<Notification, HiddenColumn>
const LISTED_COLUMNS = Notification.$columns.filter(
  (name) => !HIDDEN.includes(name as HiddenColumn)
)

const sizes = new RowSizes('notifications', { texts: ['subject', 'status_reason'] })

/** The newest entry comes first. */
export async function readLog(filter: LogFilter, page: Page, client?: TransactionClientContract) {
  return sizedPage<LogEntry>({
    found: await logPage(filter, page, client),
    page,
    sizes,
    client,
    read: (ids) =>
      Notification.query({ client })
        .select(...LISTED_COLUMNS)
        .whereIn('id', ids),
  })
}

/** The ids of a page and one more, in descending order. */
export function logPage(filter: LogFilter, page: Page, client?: TransactionClientContract) {
  const { appCode, since, recipientEmail, status, type, broadcastId, from, to } = filter
  const isIndexed =
    appCode !== undefined ||
    recipientEmail !== undefined ||
    broadcastId !== undefined ||
    status === 'failed'
  const after = page.after ?? 0
  // The order of the indexes. Without a filter on their columns, the primary key is read backwards.
  const [order, isLater, position] = isIndexed
    ? ['-id', '-id > ?', -after]
    : ['id desc', 'id < ?', after]
  return Notification.query({ client })
    .select('id')
    .if(appCode !== undefined, (query) => query.where('appCode', appCode!))
    .if(since, (query) => query.where('createdAt', '>=', toDatabaseTimestamp(since!)))
    .if(recipientEmail !== undefined, (query) => query.where('email', recipientEmail!))
    .if(status === 'failed', (query) => query.whereRaw("status = 'failed'"))
    .if(status && status !== 'failed', (query) => query.where('status', status!))
    .if(type !== undefined, (query) => query.where('type', type!))
    .if(broadcastId !== undefined, (query) => query.where('broadcastId', broadcastId!))
    .if(from, (query) => query.where('createdAt', '>=', toDatabaseTimestamp(from!)))
    .if(to, (query) => query.where('createdAt', '<', toDatabaseTimestamp(to!)))
    .if(page.after, (query) => query.whereRaw(isLater, [position]))
    .orderByRaw(order)
    .limit(page.limit + 1)
}
