import NotificationTemplate from '#app/notifications/models/notification_template'

/** Named templates with what their resource shows, by id; narrow it to a type or an application. */
export function templateList() {
  return NotificationTemplate.query()
    .preload('notificationType')
    .preload('versions', (versions) => versions.select('notificationTemplateId', 'locale'))
    .orderBy('id')
}
