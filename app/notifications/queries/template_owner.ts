import NotificationTemplate from '#app/notifications/models/notification_template'

/** Code of the application that a template belongs to; null when there is no such template. */
export async function templateOwner(id: number): Promise<string | null> {
  const template = await NotificationTemplate.query()
    .where('id', id)
    .preload('notificationType', (type) => type.preload('application'))
    .first()
  return template?.notificationType.application.code ?? null
}
