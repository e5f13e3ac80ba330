import type { AuditedRow } from '#core/audit/audited_row'
import type Webhook from '#app/webhooks/models/webhook'
import { webhookSettings } from '#app/webhooks/transformers/webhook_resource'
import { webhookTarget } from '#app/webhooks/values/audit_targets'

export const auditedWebhook = (webhook: Webhook, appCode: string): AuditedRow => ({
  application: { id: webhook.applicationId, code: appCode },
  target: webhookTarget(webhook),
  state: webhookSettings(webhook),
})
