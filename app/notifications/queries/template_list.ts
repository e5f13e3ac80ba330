import NotificationTemplate from '#app/notifications/models/notification_template'

/** Templates by id, with the relations that `templateResource` needs. */
export function templateList() {
  return NotificationTemplate.query()
    .preload('notificationType')
    .preload('versions', (versions) => versions.select('notificationTemplateId', 'locale'))
    .orderBy('id')
}
