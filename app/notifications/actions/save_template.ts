import { requireRoom } from '#core/database/require_room'
import { transaction } from '#core/database/transaction'
import { unlessTaken } from '#core/database/unique'
import Application from '#app/applications/models/application'
import { TemplateExists, TooManyTemplates } from '#app/notifications/exceptions'
import NotificationTemplate from '#app/notifications/models/notification_template'
import NotificationType from '#app/notifications/models/notification_type'
import type { TemplateVariable } from '#app/notifications/values/template_variable'

/** Of one application, under all its types. */
export const MAX_TEMPLATES = 500

export interface TemplateChanges {
  name?: string
  description?: string | null
  variables?: TemplateVariable[]
}

export interface NewTemplate extends TemplateChanges {
  key: string
  name: string
}

/** @throws ApplicationNotFound, NotificationTypeNotFound, TemplateExists, TooManyTemplates */
export async function createTemplate(appCode: string, typeCode: string, fields: NewTemplate) {
  const template = await unlessTaken(TemplateExists, () =>
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
      return NotificationTemplate.create(row, { client: trx })
    })
  )
  return withSummary(template)
}

/** Changes the fields that are given; the key stays. @throws TemplateNotFound */
export async function updateTemplate(id: number, changes: TemplateChanges) {
  const template = await NotificationTemplate.withId(id)
  await template.merge(changes).save()
  return withSummary(template)
}

/** Deletes a template with its language versions. @throws TemplateNotFound */
export async function deleteTemplate(id: number) {
  const template = await NotificationTemplate.withId(id)
  await template.delete()
}

/** Loads what the template's resource shows beside its own columns. */
async function withSummary(template: NotificationTemplate) {
  await template.load('notificationType')
  await template.load('versions', (versions) => versions.select('notificationTemplateId', 'locale'))
  return template
}
