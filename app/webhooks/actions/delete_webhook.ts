import { deletionOf } from '#core/audit/audited_row'
import { type DeleteOptions, deleteRow } from '#core/database/delete_row'
import { transaction } from '#core/database/transaction'
import { unconditional } from '#core/http/etag'
import Application from '#app/applications/models/application'
import Webhook from '#app/webhooks/models/webhook'
import { auditedWebhook } from '#app/webhooks/transformers/audited_webhook'

/** @throws ApplicationNotFound, WebhookNotFound, Stale */
export async function deleteWebhook(
  appCode: string,
  id: number,
  { dryRun, requireFresh = unconditional }: DeleteOptions<Webhook> = {}
) {
  return transaction(async (trx) => {
    const application = await Application.withCode(appCode, trx)
    const webhook = await Webhook.lock(application, id, trx)
    await requireFresh(() => webhook)
    return deleteRow(webhook, deletionOf(auditedWebhook(webhook, appCode)), dryRun)
  })
}
