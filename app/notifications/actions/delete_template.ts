import { loadTemplateRelations } from '#app/notifications/actions/load_template_relations'
import { type DeleteOptions, deleteRow } from '#core/database/delete_row'
import { unconditional } from '#core/http/etag'
import { transaction } from '#core/database/transaction'
import NotificationTemplate from '#app/notifications/models/notification_template'

/** @throws TemplateNotFound, Stale */
export async function deleteTemplate(
  id: number,
  { dryRun, requireFresh = unconditional }: DeleteOptions<NotificationTemplate> = {}
) {
  return transaction(async (trx) => {
    const template = await NotificationTemplate.lock(id, trx)
    await requireFresh(() => loadTemplateRelations(template))
    return deleteRow(template, dryRun)
  })
}
