import { TemplateRequired, UnknownTemplate } from '#app/notifications/exceptions'
import NotificationTemplate from '#app/notifications/models/notification_template'
import type NotificationType from '#app/notifications/models/notification_type'

/**
 * See notifications.md#template-choice. The result is cached and must not be modified.
 * @throws TemplateRequired, UnknownTemplate
 */
export async function chooseTemplate(
  { id, digest }: Pick<NotificationType, 'id' | 'digest'>,
  key: string | undefined
): Promise<NotificationTemplate | null> {
  const templates = await NotificationTemplate.cachedForType(id)
  // That of the digests is chosen only by its key.
  const usual = templates.filter((template) => template.key !== digest?.templateKey)
  if (key === undefined && usual.length === 0) return null
  const available = templates.map((template) => template.key)
  if (key === undefined && usual.length > 1) throw new TemplateRequired(available)
  const chosen = key === undefined ? usual[0] : templates.find((one) => one.key === key)
  if (!chosen) throw new UnknownTemplate(available)
  return chosen
}
