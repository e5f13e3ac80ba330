import { wakeBackgroundWork } from '#core/background/background_worker'
import { recordChange } from '#core/audit/record_change'
import { transaction } from '#core/database/transaction'
import Application from '#app/applications/models/application'
import { storeEvents } from '#app/webhooks/actions/store_events'
import { WebhookDisabled } from '#app/webhooks/exceptions'
import Webhook from '#app/webhooks/models/webhook'
import WebhookDelivery from '#app/webhooks/models/webhook_delivery'
import { webhookTarget } from '#app/webhooks/values/audit_targets'
import { TEST_EVENT } from '#app/webhooks/values/event_types'

/**
 * Stores an event for this webhook alone, whatever it listens to.
 *
 * @throws ApplicationNotFound, WebhookNotFound, WebhookDisabled
 */
export async function sendTestEvent(appCode: string, id: number): Promise<WebhookDelivery> {
  const delivery = await transaction(async (trx) => {
    const application = await Application.withCode(appCode, trx)
    const webhook = await Webhook.lock(application, id, trx)
    if (!webhook.enabled) throw new WebhookDisabled()
    const data = { application: appCode, webhookId: id }
    const event = { webhookId: id, type: TEST_EVENT, email: null, data } as const
    const [deliveryId] = await storeEvents([event], trx)
    await recordChange(trx, {
      action: 'webhook.tested',
      application,
      target: webhookTarget(webhook),
      before: null,
      after: { deliveryId },
    })
    return WebhookDelivery.findOrFail(deliveryId, { client: trx })
  })
  wakeBackgroundWork()
  return delivery
}
