import { mapUniqueViolation } from '#core/database/map_unique_violation'
import { requireRoom } from '#core/database/require_room'
import { recordChange } from '#core/audit/record_change'
import { transaction } from '#core/database/transaction'
import Application from '#app/applications/models/application'
import { loadTemplateRelations } from '#app/notifications/actions/load_template_relations'
import type { TemplateChanges } from '#app/notifications/actions/update_template'
import { TemplateExists, TooManyTemplates } from '#app/notifications/exceptions'
import NotificationTemplate from '#app/notifications/models/notification_template'
import NotificationType from '#app/notifications/models/notification_type'
import { templateState } from '#app/notifications/transformers/template_states'
import { templateTarget } from '#app/notifications/values/audit_targets'

/** Of an application, in all its types together. */
export const MAX_TEMPLATES = 500

export interface NewTemplate extends TemplateChanges {
  key: string
  name: string
}

/** @throws ApplicationNotFound, NotificationTypeNotFound, TemplateExists, TooManyTemplates */
export async function createTemplate(appCode: string, typeCode: string, fields: NewTemplate) {
  const template = await mapUniqueViolation(TemplateExists, () =>
    transaction(async (trx) => {
      const application = await Application.lockWithCode(appCode, trx)
      const type = await NotificationType.of(appCode, typeCode, trx)
      const existing = NotificationTemplate.query({ client: trx }).whereIn(
        'notificationTypeId',
        (types) =>
          types.from('notification_types').where('application_id', application.id).select('id')
      )
      await requireRoom(existing, MAX_TEMPLATES, TooManyTemplates)
      const row = { description: null, variables: [], ...fields, notificationTypeId: type.id }
      const created = await NotificationTemplate.create(row, { client: trx })
      await recordChange(trx, {
        action: 'template.created',
        application,
        target: templateTarget(created),
        before: null,
        after: templateState(created),
      })
      return created
    })
  )
  return loadTemplateRelations(template)
}
