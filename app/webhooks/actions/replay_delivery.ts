import { DateTime } from 'luxon'
import { wakeBackgroundWork } from '#core/background/background_worker'
import { recordChange } from '#core/audit/record_change'
import { transaction } from '#core/database/transaction'
import Application from '#app/applications/models/application'
import {
  WebhookDeliveryNotFound,
  WebhookDeliveryNotReplayable,
  WebhookDisabled,
} from '#app/webhooks/exceptions'
import Webhook from '#app/webhooks/models/webhook'
import WebhookDelivery from '#app/webhooks/models/webhook_delivery'
import { webhookTarget } from '#app/webhooks/values/audit_targets'
import { giveUpAfter } from '#app/webhooks/values/webhook_retries'

/**
 * Sends an event again immediately, with its former id, whether it arrived, failed or still waits.
 *
 * @throws ApplicationNotFound, WebhookNotFound, WebhookDeliveryNotFound, WebhookDisabled,
 *   WebhookDeliveryNotReplayable
 */
export async function replayDelivery(
  appCode: string,
  id: number,
  deliveryId: number
): Promise<WebhookDelivery> {
  const replayed = await transaction(async (trx) => {
    const application = await Application.withCode(appCode, trx)
    const webhook = await Webhook.lock(application, id, trx)
    const delivery = await WebhookDelivery.query({ client: trx })
      .where({ webhookId: id, id: deliveryId })
      .forUpdate()
      .first()
    if (!delivery) throw new WebhookDeliveryNotFound()
    if (!webhook.enabled) throw new WebhookDisabled()
    if (delivery.content === null) throw new WebhookDeliveryNotReplayable()
    const { status } = delivery
    const now = DateTime.utc()
    delivery.merge({ status: 'pending', claim: null, dueAt: now, giveUpAt: giveUpAfter(now) })
    await delivery.save()
    await recordChange(trx, {
      action: 'webhook.delivery_replayed',
      application,
      target: webhookTarget(webhook),
      before: null,
      after: { deliveryId, type: delivery.type, status },
    })
    return delivery
  })
  wakeBackgroundWork()
  return replayed
}
