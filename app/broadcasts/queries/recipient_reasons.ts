import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { readRows } from '#app/broadcasts/queries/audience_sources'
import type { RecipientStatus } from '#app/broadcasts/values/recipient_status'

interface CountedReason {
  /** With its text; null without a log entry */
  statusReason: string | null
  count: number
}

interface RecentRecipients {
  broadcastId: number
  status: RecipientStatus
  limit: number
}

/** What the log says about the latest recipients with a status. */
export async function recipientReasons(
  { broadcastId, status, limit }: RecentRecipients,
  client: QueryClientContract = db.connection()
): Promise<CountedReason[]> {
  const result: unknown = await client.rawQuery(
    `select n.status_reason as reason, count(*) as count
     from (select notification_id from broadcast_recipients
       where broadcast_id = :broadcastId and coalesce(status, 'waiting') = :status
       order by id desc limit :limit) as r
     left join notifications n on n.id = r.notification_id
     group by n.status_reason`,
    { broadcastId, status, limit }
  )
  const rows = readRows<{ reason: string | null; count: number | string }>(result)
  return rows.map(({ reason, count }) => ({ statusReason: reason, count: Number(count) }))
}
