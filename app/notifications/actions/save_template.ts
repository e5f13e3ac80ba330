import { mapUniqueViolation } from '#core/database/map_unique_violation'
import { TemplateExists } from '#app/notifications/exceptions'
import NotificationTemplate from '#app/notifications/models/notification_template'
import NotificationType from '#app/notifications/models/notification_type'
import type { TemplateVariable } from '#app/notifications/values/template_variable'

export interface TemplateChanges {
  name?: string
  description?: string | null
  variables?: TemplateVariable[]
}

export interface NewTemplate extends TemplateChanges {
  key: string
  name: string
}

/** @throws ApplicationNotFound, NotificationTypeNotFound, TemplateExists */
export async function createTemplate(appCode: string, typeCode: string, fields: NewTemplate) {
  const type = await NotificationType.of(appCode, typeCode)
  const template = await mapUniqueViolation(TemplateExists, () =>
    NotificationTemplate.create({
      description: null,
      variables: [],
      ...fields,
      notificationTypeId: type.id,
    })
  )
  return withSummary(template)
}

/** @throws TemplateNotFound */
export async function updateTemplate(id: number, changes: TemplateChanges) {
  const template = await NotificationTemplate.withId(id)
  await template.merge(changes).save()
  return withSummary(template)
}

/** @throws TemplateNotFound */
export async function deleteTemplate(id: number) {
  const template = await NotificationTemplate.withId(id)
  await template.delete()
}

/** Loads the relations that `templateResource` needs. */
async function withSummary(template: NotificationTemplate) {
  await template.load('notificationType')
  await template.load('versions', (versions) => versions.select('notificationTemplateId', 'locale'))
  return template
}
