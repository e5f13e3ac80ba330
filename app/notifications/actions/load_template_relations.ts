import type NotificationTemplate from '#app/notifications/models/notification_template'

/** Loads the relations that `templateResource` needs. */
export async function loadTemplateRelations(template: NotificationTemplate) {
  await template.load('notificationType')
  await template.load('versions', (versions) => versions.select('notificationTemplateId', 'locale'))
  return template
}
