import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import NotificationTemplate from '#app/notifications/models/notification_template'
import { templateTarget } from '#app/notifications/values/audit_targets'

/** What a change of a template is about, for the audit trail. */
export async function auditedTemplate(id: number, client: TransactionClientContract) {
  const template = await NotificationTemplate.query({ client })
    .where('id', id)
    .preload('notificationType', (type) => type.preload('application'))
    .firstOrFail()
  return { application: template.notificationType.application, target: templateTarget(template) }
}
