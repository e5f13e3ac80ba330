import type NotificationTemplate from '#app/notifications/models/notification_template'
import TemplateVersion from '#app/notifications/models/template_version'

/** Excludes the prepared texts, which can be many times as long as the templates. */
export type ListedVersion = Omit<TemplateVersion, 'inlinedBody' | 'textTemplate'>
const LISTED_COLUMNS = TemplateVersion.$columns.filter(
  (name) => name !== 'inlinedBody' && name !== 'textTemplate'
)

export function versionsOf({ id }: NotificationTemplate) {
  return TemplateVersion.query()
    .select(...LISTED_COLUMNS)
    .where('notificationTemplateId', id)
    .orderBy('id')
}
