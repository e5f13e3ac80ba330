import NotificationTemplate from '#app/notifications/models/notification_template'

export function templateList() {
  return NotificationTemplate.query()
    .preload('notificationType')
    .preload('versions', (versions) => versions.select('notificationTemplateId', 'locale'))
}
