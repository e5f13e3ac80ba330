import type NotificationTemplate from '#app/notifications/models/notification_template'
import TemplateVersion from '#app/notifications/models/template_version'

/** Without what was made from the texts, which can be many times as long. */
export type ListedVersion = Omit<TemplateVersion, 'inlinedBody' | 'textTemplate'>
const SHOWN = TemplateVersion.$columns.filter(
  (name) => name !== 'inlinedBody' && name !== 'textTemplate'
)

/** A template's language versions, by id. */
export function versionsOf({ id }: NotificationTemplate) {
  return TemplateVersion.query()
    .select(...SHOWN)
    .where('notificationTemplateId', id)
    .orderBy('id')
}
