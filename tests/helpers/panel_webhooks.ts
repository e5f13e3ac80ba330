import { randomUUID } from 'node:crypto'
import { DateTime } from 'luxon'
import { createWebhook } from '#app/webhooks/actions/create_webhook'
import WebhookDelivery from '#app/webhooks/models/webhook_delivery'

/** A webhook whose receiver fails, with an event that arrived and one that did not. */
export async function aFailingWebhook(appCode: string, text: string) {
  const { webhook } = await createWebhook(appCode, {
    url: `https://${appCode}.example/hooks`,
    events: ['user.erased', 'notification.failed'],
  })
  const now = DateTime.utc()
  await webhook
    .merge({
      failingSince: now.minus({ hours: 2 }),
      lastSuccessAt: now.minus({ days: 1 }),
      lastFailureAt: now,
      lastFailureReason: 'status',
      lastFailureStatus: 500,
    })
    .save()
  const event = (status: 'delivered' | 'failed', answer: number) => ({
    webhookId: webhook.id,
    messageId: `msg_${randomUUID()}`,
    status,
    attempts: 3,
    type: 'notification.failed',
    responseStatus: answer,
    lastAttemptAt: now,
    dueAt: null,
    failureReason: status === 'failed' ? ('status' as const) : null,
    giveUpAt: now.plus({ days: 3 }),
    content: JSON.stringify({
      type: 'notification.failed',
      timestamp: now.toISO(),
      data: { application: appCode, notificationId: 4711, type: text },
    }),
  })
  await WebhookDelivery.createMany([event('delivered', 204), event('failed', 500)])
  return webhook.id
}
