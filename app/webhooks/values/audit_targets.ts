import type Webhook from '#app/webhooks/models/webhook'

export const webhookTarget = ({ id, url }: Webhook) => {
  return { kind: 'webhook' as const, id, label: url.slice(0, 1_024) }
}
