import { mapUniqueViolation } from '#core/database/map_unique_violation'
import { requireRoom } from '#core/database/require_room'
import { creationOf } from '#core/audit/audited_row'
import { recordChange } from '#core/audit/record_change'
import { transaction } from '#core/database/transaction'
import Application from '#app/applications/models/application'
import { requireDigestTemplate } from '#app/notifications/actions/require_digest_template'
import type { TypeChanges, TypeWriting } from '#app/notifications/actions/update_type'
import { NotificationTypeExists, TooManyNotificationTypes } from '#app/notifications/exceptions'
import NotificationType from '#app/notifications/models/notification_type'
import { auditedType } from '#app/notifications/transformers/audited_type'

/** Limited because users read all types of an application in one request. */
export const MAX_TYPES = 500

export interface NewType extends TypeChanges {
  code: string
  name: string
}

/**
 * @throws ApplicationNotFound, NotificationTypeExists, TooManyNotificationTypes; UnknownTemplate
 *   for that of its digests
 */
export async function createType(
  appCode: string,
  fields: NewType,
  { checksTemplate = true }: TypeWriting = {}
): Promise<NotificationType> {
  return mapUniqueViolation(NotificationTypeExists, () =>
    transaction(async (trx) => {
      const application = await Application.lockWithCode(appCode, trx)
      const applicationId = application.id
      const existing = NotificationType.query({ client: trx }).where({ applicationId })
      await requireRoom(existing, MAX_TYPES, TooManyNotificationTypes)
      const row = { description: null, ...fields, applicationId }
      const type = await NotificationType.create(row, { client: trx })
      await type.refresh()
      if (type.digest && checksTemplate) await requireDigestTemplate(type, trx)
      await recordChange(trx, creationOf(auditedType(type, appCode)))
      return type
    })
  )
}
