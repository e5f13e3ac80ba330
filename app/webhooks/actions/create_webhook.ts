import { creationOf } from '#core/audit/audited_row'
import { recordChange } from '#core/audit/record_change'
import { requireRoom } from '#core/database/require_room'
import { transaction } from '#core/database/transaction'
import Application from '#app/applications/models/application'
import { TooManyWebhooks } from '#app/webhooks/exceptions'
import Webhook from '#app/webhooks/models/webhook'
import { currentPositions } from '#app/webhooks/queries/change_positions'
import { auditedWebhook } from '#app/webhooks/transformers/audited_webhook'
import type { EventType } from '#app/webhooks/values/event_types'
import { encryptSecret, generateSecret } from '#app/webhooks/values/webhook_secret'
import webhooksConfig from '#config/webhooks'

export interface WebhookFields {
  url: string
  events: EventType[]
  enabled?: boolean
}

/**
 * @returns the stored row, and the secret, of which only the encrypted form is stored
 * @throws ApplicationNotFound, TooManyWebhooks
 */
export async function createWebhook(
  appCode: string,
  { url, events, enabled = true }: WebhookFields
): Promise<{ webhook: Webhook; secret: string }> {
  const secret = generateSecret()
  const webhook = await transaction(async (trx) => {
    const application = await Application.lockWithCode(appCode, trx)
    const applicationId = application.id
    const existing = Webhook.query({ client: trx }).where({ applicationId })
    await requireRoom(existing, webhooksConfig.maxPerApplication, TooManyWebhooks)
    const created = await Webhook.create(
      {
        applicationId,
        url,
        events,
        enabled,
        secret: encryptSecret(secret),
        ...(await currentPositions(trx)),
      },
      { client: trx }
    )
    // The database has defaults.
    await created.refresh()
    await recordChange(trx, creationOf(auditedWebhook(created, appCode)))
    return created
  })
  return { webhook, secret }
}
