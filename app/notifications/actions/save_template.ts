import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { transaction } from '#core/database/transaction'
import { unlessTaken } from '#core/database/unique'
import Application from '#app/applications/models/application'
import { TemplateExists, TooManyTemplates } from '#app/notifications/exceptions'
import NotificationTemplate from '#app/notifications/models/notification_template'
import NotificationType from '#app/notifications/models/notification_type'
import type { TemplateVariable } from '#app/notifications/values/template_variable'

/** Of an application: they are listed all at once. */
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
      const { id: notificationTypeId } = await NotificationType.of(appCode, typeCode, trx)
      await requireRoom(application, trx)
      const given = { description: null, variables: [], ...fields, notificationTypeId }
      return NotificationTemplate.create(given, { client: trx })
    })
  )
  return withSummary(template)
}

async function requireRoom({ id }: Application, client: TransactionClientContract) {
  const [{ $extras }] = await NotificationTemplate.query({ client })
    .whereHas('notificationType', (types) => types.where('applicationId', id))
    .count('* as total')
  if (Number($extras.total) < MAX_TEMPLATES) return
  throw new TooManyTemplates({ details: { limit: MAX_TEMPLATES } })
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
