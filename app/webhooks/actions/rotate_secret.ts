import { DateTime } from 'luxon'
import { recordChange } from '#core/audit/record_change'
import { transaction } from '#core/database/transaction'
import { isoTimestamp } from '#core/values/iso_timestamp'
import Application from '#app/applications/models/application'
import Webhook from '#app/webhooks/models/webhook'
import { webhookTarget } from '#app/webhooks/values/audit_targets'
import { encryptSecret, generateSecret } from '#app/webhooks/values/webhook_secret'
import webhooksConfig from '#config/webhooks'

/**
 * Creates a new secret. The previous one also signs for a day; an older one ends immediately.
 *
 * @throws ApplicationNotFound, WebhookNotFound
 */
export async function rotateSecret(
  appCode: string,
  id: number
): Promise<{ webhook: Webhook; secret: string }> {
  const secret = generateSecret()
  const webhook = await transaction(async (trx) => {
    const application = await Application.withCode(appCode, trx)
    const locked = await Webhook.lock(application, id, trx)
    const before = isoTimestamp(locked.previousSecretExpiresAt)
    locked.previousSecret = locked.secret
    locked.previousSecretExpiresAt = DateTime.utc().plus({ hours: webhooksConfig.overlapHours })
    await locked.merge({ secret: encryptSecret(secret) }).save()
    await recordChange(trx, {
      action: 'webhook.secret_rotated',
      application,
      target: webhookTarget(locked),
      before: { previousSecretExpiresAt: before },
      after: { previousSecretExpiresAt: isoTimestamp(locked.previousSecretExpiresAt) },
    })
    return locked
  })
  return { webhook, secret }
}
