import { loadTemplateRelations } from '#app/notifications/actions/load_template_relations'
import { type RequireFresh, unconditional } from '#core/http/etag'
import { transaction } from '#core/database/transaction'
import NotificationTemplate from '#app/notifications/models/notification_template'

/** @throws TemplateNotFound, Stale */
export async function deleteTemplate(
  id: number,
  requireFresh: RequireFresh<NotificationTemplate> = unconditional
) {
  await transaction(async (trx) => {
    const template = await NotificationTemplate.lock(id, trx)
    await requireFresh(() => loadTemplateRelations(template))
    await template.delete()
  })
}
