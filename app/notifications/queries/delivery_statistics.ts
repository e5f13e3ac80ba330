import type { DateTime } from 'luxon'
import db from '@adonisjs/lucid/services/db'
import { toDatabaseTimestamp } from '#core/database/columns'
import { utcDay } from '#core/database/utc_day'

export interface DeliveryCount {
  /** UTC day on which the notification was created, as `YYYY-MM-DD`. */
  date: string
  /** Null for notifications for which no channel was attempted. */
  channel: string | null
  status: string
  count: number
}

/** Includes `from` and excludes `to`. The `Delivery` model belongs to the section above. */
export async function deliveryStatistics(
  appCode: string,
  from: DateTime,
  to: DateTime
): Promise<DeliveryCount[]> {
  const day = utcDay('notifications.created_at')
  const status = 'coalesce(deliveries.status, notifications.status)'
  const rows = await db
    .from('notifications')
    .leftJoin('deliveries', 'deliveries.notification_id', 'notifications.id')
    .where('notifications.app_code', appCode)
    .where('notifications.created_at', '>=', toDatabaseTimestamp(from))
    .where('notifications.created_at', '<', toDatabaseTimestamp(to))
    .select('deliveries.channel', db.raw(`${day} as date`), db.raw(`${status} as status`))
    .count('* as count')
    .groupByRaw(`${day}, deliveries.channel, ${status}`)
    .orderByRaw(`${day}, coalesce(deliveries.channel, ''), ${status}`)
  return rows.map((row) => ({
    date: row.date,
    channel: row.channel,
    status: row.status,
    count: Number(row.count),
  }))
}
