import { parseDatabaseTimestamp } from '#core/database/columns'
import { jsonRows } from '#core/database/json_rows'
import { type Executor, execute } from '#app/webhooks/queries/executor'
import type { ChannelOutcome } from '#app/webhooks/values/event_data'

/** What an event says about a notification. */
export interface OutcomeRow {
  id: number
  email: string
  appCode: string
  type: string
  broadcastId: number | null
  /** In milliseconds since 1970 */
  createdAt: number
}

interface NotificationRow {
  id: number
  email: string
  app_code: string
  type: string
  broadcast_id: number | null
  created_at: unknown
}

const givenIds = () => `(select given.id from ${jsonRows({ id: 'integer' }).source})`

const idsValue = (ids: number[]) => [JSON.stringify(ids.map((id) => ({ id })))]

export async function readOutcomeRows(ids: number[], executor: Executor): Promise<OutcomeRow[]> {
  const sql = `select id, email, app_code, type, broadcast_id, created_at
    from notifications where id in ${givenIds()}`
  const statement = { name: 'webhook_outcome_rows', sql }
  const rows = await execute<NotificationRow>(executor, statement, idsValue(ids))
  return rows.map(({ id, email, type, app_code, broadcast_id, created_at }) => ({
    id,
    email,
    type,
    appCode: app_code,
    broadcastId: broadcast_id,
    createdAt: parseDatabaseTimestamp(created_at)!.toMillis(),
  }))
}

export async function readChannelOutcomes(
  ids: number[],
  executor: Executor
): Promise<Map<number, ChannelOutcome[]>> {
  const sql = `select notification_id, channel, status
    from deliveries where notification_id in ${givenIds()} order by id`
  const statement = { name: 'webhook_channel_outcomes', sql }
  type Row = ChannelOutcome & { notification_id: number }
  const rows = await execute<Row>(executor, statement, idsValue(ids))
  const byId = new Map<number, ChannelOutcome[]>()
  for (const { notification_id: id, channel, status } of rows) {
    byId.set(id, [...(byId.get(id) ?? []), { channel, status }])
  }
  return byId
}
