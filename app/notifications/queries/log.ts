import { type DateTime } from 'luxon'
import { toDatabase } from '#core/database/columns'
import { RowSizes } from '#core/database/row_sizes'
import { type Page, sizedPage } from '#core/http/paging'
import Notification from '#app/notifications/models/notification'
import type { NotificationStatus } from '#app/notifications/values/notification_status'

export interface LogFilter {
  appCode?: string
  recipientEmail?: string
  /** Since when the application exists, for who sees nothing of a former one with its code. */
  since?: DateTime
  status?: NotificationStatus
  type?: string
  /** From this moment on. */
  from?: DateTime
  /** Before this moment. */
  to?: DateTime
}

/** The log does not show a message's data, which can have a megabyte. */
export type LogEntry = Omit<Notification, 'payload'>
const SHOWN = Notification.$columns.filter((name) => name !== 'payload')

const sizes = new RowSizes('notifications', ['subject', 'status_reason'])

/** One page of the log, the latest first. */
export async function readLog(filter: LogFilter, page: Page) {
  return sizedPage<LogEntry>({
    found: await logPage(filter, page),
    page,
    sizes,
    read: (ids) =>
      Notification.query()
        .select(...SHOWN)
        .whereIn('id', ids),
  })
}

/**
 * The ids of one page by descending id (as the indexes spell it), with one row more than the page
 * holds.
 */
export function logPage(
  { appCode, since, recipientEmail, status, type, from, to }: LogFilter,
  page: Page
) {
  return Notification.query()
    .select('id')
    .if(appCode !== undefined, (query) => query.where('appCode', appCode!))
    .if(since, (query) => query.where('createdAt', '>=', toDatabase(since!)))
    .if(recipientEmail !== undefined, (query) => query.where('email', recipientEmail!))
    .if(status, (query) => query.where('status', status!))
    .if(type !== undefined, (query) => query.where('type', type!))
    .if(from, (query) => query.where('createdAt', '>=', toDatabase(from!)))
    .if(to, (query) => query.where('createdAt', '<', toDatabase(to!)))
    .if(page.after, (query) => query.whereRaw('-id > ?', [-page.after!]))
    .orderByRaw('-id')
    .limit(page.limit + 1)
}
