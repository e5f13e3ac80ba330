import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { DateTime } from 'luxon'
import logger from '@adonisjs/core/services/logger'
import { recordChange } from '#core/audit/record_change'
import Application from '#app/applications/models/application'
import type Webhook from '#app/webhooks/models/webhook'
import { parkDeliveries } from '#app/webhooks/queries/waiting_deliveries'
import { webhookTarget } from '#app/webhooks/values/audit_targets'
import type { DisabledReason } from '#app/webhooks/values/delivery_status'

/** The service disables a webhook. An administrator can enable it again. */
export async function disableWebhook(
  webhook: Webhook,
  reason: DisabledReason,
  trx: TransactionClientContract
) {
  const application = await Application.findOrFail(webhook.applicationId, { client: trx })
  const disabled = { enabled: false, disabledAt: DateTime.utc(), disabledReason: reason }
  await webhook.useTransaction(trx).merge(disabled).save()
  await parkDeliveries(webhook.id, trx)
  await recordChange(trx, {
    action: 'webhook.disabled',
    application,
    target: webhookTarget(webhook),
    before: { enabled: true },
    after: { enabled: false, reason },
  })
  const disabledWebhook = { webhook: webhook.id, application: application.code, reason }
  trx.after('commit', () => logger.warn(disabledWebhook, 'Disabled a webhook'))
}
