import type Webhook from '#app/webhooks/models/webhook'

/** Without the rest of the URL, which is often a credential. */
export const webhookTarget = ({ id, url }: Webhook) => {
  return { kind: 'webhook' as const, id, label: new URL(url).origin }
}
