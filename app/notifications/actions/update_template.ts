import { loadTemplateRelations } from '#app/notifications/actions/load_template_relations'
import NotificationTemplate from '#app/notifications/models/notification_template'
import type { TemplateVariable } from '#app/notifications/values/template_variable'

export interface TemplateChanges {
  name?: string
  description?: string | null
  variables?: TemplateVariable[]
}

/** @throws TemplateNotFound */
export async function updateTemplate(id: number, changes: TemplateChanges) {
  const template = await NotificationTemplate.withId(id)
  await template.merge(changes).save()
  return loadTemplateRelations(template)
}
