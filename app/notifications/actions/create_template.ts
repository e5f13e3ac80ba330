import { mapUniqueViolation } from '#core/database/map_unique_violation'
import { loadTemplateRelations } from '#app/notifications/actions/load_template_relations'
import type { TemplateChanges } from '#app/notifications/actions/update_template'
import { TemplateExists } from '#app/notifications/exceptions'
import NotificationTemplate from '#app/notifications/models/notification_template'
import NotificationType from '#app/notifications/models/notification_type'

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
  return loadTemplateRelations(template)
}
