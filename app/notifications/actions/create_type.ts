import { mapUniqueViolation } from '#core/database/map_unique_violation'
import Application from '#app/applications/models/application'
import type { TypeChanges } from '#app/notifications/actions/update_type'
import { NotificationTypeExists } from '#app/notifications/exceptions'
import NotificationType from '#app/notifications/models/notification_type'

export interface NewType extends TypeChanges {
  code: string
  name: string
}

/** @throws ApplicationNotFound, NotificationTypeExists */
export async function createType(appCode: string, fields: NewType): Promise<NotificationType> {
  const application = await Application.withCode(appCode)
  const type = await mapUniqueViolation(NotificationTypeExists, () =>
    NotificationType.create({ description: null, ...fields, applicationId: application.id })
  )
  return type.refresh()
}
