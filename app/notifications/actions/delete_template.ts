import NotificationTemplate from '#app/notifications/models/notification_template'

/** @throws TemplateNotFound */
export async function deleteTemplate(id: number) {
  const template = await NotificationTemplate.withId(id)
  await template.delete()
}
