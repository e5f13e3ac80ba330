import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import NotificationTemplate from '#app/notifications/models/notification_template'

export function templateList(client?: TransactionClientContract) {
  return NotificationTemplate.query({ client })
    .preload('notificationType')
    .preload('versions', (versions) => versions.select('notificationTemplateId', 'locale'))
}
