import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { Page } from '#core/http/paging'
import WebhookDelivery from '#app/webhooks/models/webhook_delivery'
import type { DeliveryStatus } from '#app/webhooks/values/delivery_status'

export interface DeliveryFilter {
  webhookId: number
  status?: DeliveryStatus
  type?: string
}

/** A page of deliveries and one more, the newest first. */
export function deliveryPage(
  { webhookId, status, type }: DeliveryFilter,
  page: Page,
  client?: TransactionClientContract
) {
  return WebhookDelivery.query({ client })
    .where({ webhookId })
    .if(status, (query) => query.where('status', status!))
    .if(type !== undefined, (query) => query.where('type', type!))
    .if(page.after, (query) => query.whereRaw('-id > ?', [-page.after!]))
    .orderByRaw('-id')
    .limit(page.limit + 1)
}
