import db from '@adonisjs/lucid/services/db'
import { selectRows } from '#core/database/select_rows'
import webhooksConfig from '#config/webhooks'

/** A webhook for which deliveries are due. */
export interface DueWebhook {
  webhookId: number
  applicationId: number
  isFailing: boolean
}

export interface DueDelivery extends DueWebhook {
  id: number
}

interface WebhookRow {
  id: number
  application_id: number
  is_failing: boolean | number
}

/**
 * Goes from one webhook for which something waits to the next. Reading the deliveries instead would
 * take longer the more of them one webhook has.
 */
const DUE_WEBHOOKS = `with recursive waiting (id) as (
    select min(webhook_id) from webhook_deliveries where due_at is not null
    union all
    select (select min(webhook_id) from webhook_deliveries
      where due_at is not null and webhook_id > waiting.id)
    from waiting where waiting.id is not null
  ), due as (
    select webhooks.id, application_id, failing_since is not null as is_failing,
      (select min(due_at) from webhook_deliveries
        where webhook_id = webhooks.id and due_at is not null) as due_at
    from waiting join webhooks on webhooks.id = waiting.id
  )
  select id, application_id, is_failing from due where due_at <= ? order by due_at`

/** Those whose deliveries have been due for longest come first. */
export async function readDueWebhooks(now: string): Promise<DueWebhook[]> {
  const rows = await selectRows<WebhookRow>(db, DUE_WEBHOOKS, [now])
  return rows.map((row) => ({
    webhookId: row.id,
    applicationId: row.application_id,
    isFailing: Boolean(row.is_failing),
  }))
}

/** Of each of these webhooks the oldest, as many as it can have attempts at a time. */
export async function readDueDeliveries(
  webhooks: DueWebhook[],
  now: string
): Promise<DueDelivery[]> {
  if (webhooks.length === 0) return []
  const parts = webhooks.map(
    () => `select * from (
      select id, webhook_id, due_at from webhook_deliveries
      where webhook_id = ? and due_at <= ? order by due_at limit ?
    ) as part`
  )
  const sql = `select id, webhook_id from (${parts.join(' union all ')}) as due order by due_at`
  const rows = await selectRows<{ id: number; webhook_id: number }>(
    db,
    sql,
    webhooks.flatMap(({ webhookId }) => [webhookId, now, webhooksConfig.perWebhook])
  )
  const byId = new Map(webhooks.map((webhook) => [webhook.webhookId, webhook]))
  return rows.map((row) => ({ ...byId.get(row.webhook_id)!, id: row.id }))
}
