import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { DateTime } from 'luxon'
import { updateOf } from '#core/audit/audited_row'
import { recordChange } from '#core/audit/record_change'
import { transaction } from '#core/database/transaction'
import { type RequireFresh, unconditional } from '#core/http/etag'
import Application from '#app/applications/models/application'
import type { WebhookFields } from '#app/webhooks/actions/create_webhook'
import Webhook from '#app/webhooks/models/webhook'
import { currentPositions } from '#app/webhooks/queries/change_positions'
import { parkDeliveries, resumeDeliveries } from '#app/webhooks/queries/waiting_deliveries'
import { auditedWebhook } from '#app/webhooks/transformers/audited_webhook'
import { RELAYED_EVENTS } from '#app/webhooks/values/event_types'

/**
 * Changes the given fields. Waiting events stay while the webhook is disabled, and continue once it
 * is enabled.
 *
 * @throws ApplicationNotFound, WebhookNotFound, Stale
 */
export async function updateWebhook(
  appCode: string,
  id: number,
  fields: Partial<WebhookFields>,
  requireFresh: RequireFresh<Webhook> = unconditional
): Promise<Webhook> {
  return transaction(async (trx) => {
    const application = await Application.withCode(appCode, trx)
    const webhook = await Webhook.lock(application, id, trx)
    await requireFresh(() => webhook)
    const before = auditedWebhook(webhook, appCode)
    const followedChanges = followsChanges(webhook)
    const { enabled: wasEnabled, url: formerUrl } = webhook
    webhook.merge(fields)
    if (wasEnabled !== webhook.enabled) await switchTo(webhook, trx)
    if (webhook.url !== formerUrl) await forgetFailures(webhook, trx)
    if (!followedChanges && followsChanges(webhook)) webhook.merge(await currentPositions(trx))
    await webhook.save()
    await recordChange(trx, updateOf(before, auditedWebhook(webhook, appCode)))
    return webhook
  })
}

const followsChanges = ({ enabled, events }: Webhook) =>
  enabled && events.some((type) => RELAYED_EVENTS.includes(type))

async function switchTo(webhook: Webhook, trx: TransactionClientContract) {
  const { id, enabled } = webhook
  webhook.merge({ disabledReason: null, failingSince: null })
  webhook.disabledAt = enabled ? null : DateTime.utc()
  await (enabled ? resumeDeliveries(id, trx) : parkDeliveries(id, trx))
}

/** The previous URL failed, so waiting events need not wait for the next attempt. */
async function forgetFailures(webhook: Webhook, trx: TransactionClientContract) {
  webhook.failingSince = null
  if (webhook.enabled) await resumeDeliveries(webhook.id, trx)
}
