import { type DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import type { Page } from '#core/http/paging'
import Notification from '#app/notifications/models/notification'
import type { NotificationStatus } from '#app/notifications/values/notification_status'

export interface LogFilter {
  appCode?: string
  recipientEmail?: string
  /** Hides the entries of an earlier application with the same code */
  since?: DateTime
  status?: NotificationStatus
  type?: string
  from?: DateTime
  /** Exclusive; `from` is inclusive */
  to?: DateTime
}

/** One more row than the page, by descending id; `-id` matches the indexes. */
export function logPage(
  { appCode, since, recipientEmail, status, type, from, to }: LogFilter,
  page: Page
) {
  return Notification.query()
    .if(appCode !== undefined, (query) => query.where('appCode', appCode!))
    .if(since, (query) => query.where('createdAt', '>=', toDatabaseTimestamp(since!)))
    .if(recipientEmail !== undefined, (query) => query.where('email', recipientEmail!))
    .if(status, (query) => query.where('status', status!))
    .if(type !== undefined, (query) => query.where('type', type!))
    .if(from, (query) => query.where('createdAt', '>=', toDatabaseTimestamp(from!)))
    .if(to, (query) => query.where('createdAt', '<', toDatabaseTimestamp(to!)))
    .if(page.after, (query) => query.whereRaw('-id > ?', [-page.after!]))
    .orderByRaw('-id')
    .limit(page.limit + 1)
}
