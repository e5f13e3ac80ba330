import { type RequireFresh, unconditional } from '#core/http/etag'
import { recordChange } from '#core/audit/record_change'
import { transaction } from '#core/database/transaction'
import { loadTemplateRelations } from '#app/notifications/actions/load_template_relations'
import NotificationTemplate from '#app/notifications/models/notification_template'
import { auditedTemplate } from '#app/notifications/queries/audited_template'
import { templateState } from '#app/notifications/transformers/template_states'
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
    const before = templateState(template)
    await template.merge(changes).save()
    const change = { action: 'template.updated' as const, before, after: templateState(template) }
    await recordChange(trx, { ...change, ...(await auditedTemplate(id, trx)) })
    return loadTemplateRelations(template)
  })
}
