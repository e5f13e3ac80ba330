import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { DateTime } from 'luxon'
import db from '@adonisjs/lucid/services/db'
import { toDatabaseTimestamp } from '#core/database/columns'
import { utcDay, utcHour } from '#core/database/utc_day'

export interface DeliveryCount {
  /**
   * UTC day on which the notification was created, as `YYYY-MM-DD`, or its hour, as
   * `YYYY-MM-DDTHH:00:00Z`.
   */
  date: string
  /** Null for notifications for which no channel was attempted. */
  channel: string | null
  status: string
  count: number
}

export interface StatisticsFilter {
  appCode: string
  from: DateTime
  /** Exclusive; `from` is inclusive */
  to: DateTime
  /** Code of a notification type */
  type?: string
  per?: 'day' | 'hour'
}

/**
 * Counts notifications per period, channel and status. The `Delivery` model belongs to the section
 * above.
 */
export async function deliveryStatistics(
  { appCode, from, to, type, per = 'day' }: StatisticsFilter,
  client: QueryClientContract = db.connection()
): Promise<DeliveryCount[]> {
  const period = (per === 'hour' ? utcHour : utcDay)('notifications.created_at')
  const status = 'coalesce(deliveries.status, notifications.status)'
  const rows = await client
    .from('notifications')
    .leftJoin('deliveries', 'deliveries.notification_id', 'notifications.id')
    .where('notifications.app_code', appCode)
    .if(type !== undefined, (query) => query.where('notifications.type', type!))
    .where('notifications.created_at', '>=', toDatabaseTimestamp(from))
    .where('notifications.created_at', '<', toDatabaseTimestamp(to))
    .select('deliveries.channel', db.raw(`${period} as date`), db.raw(`${status} as status`))
    .count('* as count')
    .groupByRaw(`${period}, deliveries.channel, ${status}`)
    .orderByRaw(`${period}, coalesce(deliveries.channel, ''), ${status}`)
  return rows.map((row) => ({
    date: row.date,
    channel: row.channel,
    status: row.status,
    count: Number(row.count),
  }))
}
