import type { AuditedRow } from '#core/audit/audited_row'
import { secrets } from '#core/secrets'
import type Webhook from '#app/webhooks/models/webhook'
import { webhookSettings } from '#app/webhooks/transformers/webhook_resource'
import { webhookTarget } from '#app/webhooks/values/audit_targets'

export const auditedWebhook = (webhook: Webhook, appCode: string): AuditedRow => ({
  application: { id: webhook.applicationId, code: appCode },
  target: webhookTarget(webhook),
  state: { ...webhookSettings(webhook), url: auditedUrl(webhook) },
})

/** The rest of a URL is often a credential. The id keeps other webhooks from testing guesses. */
function auditedUrl({ id, url }: Webhook) {
  const version = secrets.fingerprint(`${id}:${url}`, 'webhooks.audited_url').slice(0, 12)
  return { origin: new URL(url).origin, version }
}
