import { loadTemplateRelations } from '#app/notifications/actions/load_template_relations'
import { type DeleteOptions, deleteRow } from '#core/database/delete_row'
import { unconditional } from '#core/http/etag'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { transaction } from '#core/database/transaction'
import { TemplateInUse } from '#app/notifications/exceptions'
import NotificationTemplate from '#app/notifications/models/notification_template'
import NotificationType from '#app/notifications/models/notification_type'
import { auditedTemplate } from '#app/notifications/queries/audited_template'
import { templateState } from '#app/notifications/transformers/template_states'

/** @throws TemplateNotFound, Stale, TemplateInUse if the digests of its type use it */
export async function deleteTemplate(
  id: number,
  { dryRun, requireFresh = unconditional }: DeleteOptions<NotificationTemplate> = {}
) {
  return transaction(async (trx) => {
    const template = await NotificationTemplate.lock(id, trx)
    await requireUnused(template, trx)
    await requireFresh(() => loadTemplateRelations(template))
    const deletion = { action: 'template.deleted' as const, before: templateState(template) }
    return deleteRow(template, { ...deletion, ...(await auditedTemplate(id, trx)) }, dryRun)
  })
}

async function requireUnused(
  { notificationTypeId, key }: NotificationTemplate,
  client: TransactionClientContract
) {
  const type = await NotificationType.findOrFail(notificationTypeId, { client })
  if (type.digest?.templateKey === key) throw new TemplateInUse()
}
