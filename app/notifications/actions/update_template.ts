import { type RequireFresh, unconditional } from '#core/http/etag'
import { transaction } from '#core/database/transaction'
import { loadTemplateRelations } from '#app/notifications/actions/load_template_relations'
import NotificationTemplate from '#app/notifications/models/notification_template'
import type { TemplateVariable } from '#app/notifications/values/template_variable'

export interface TemplateChanges {
  name?: string
  description?: string | null
  variables?: TemplateVariable[]
}

/** @throws TemplateNotFound, Stale */
export async function updateTemplate(
  id: number,
  changes: TemplateChanges,
  requireFresh: RequireFresh<NotificationTemplate> = unconditional
) {
  return transaction(async (trx) => {
    const template = await NotificationTemplate.lock(id, trx)
    await requireFresh(() => loadTemplateRelations(template))
    await template.merge(changes).save()
    return loadTemplateRelations(template)
  })
}
