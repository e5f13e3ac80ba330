import { isoTimestamp } from '#core/values/iso_timestamp'
import type NotificationTemplate from '#app/notifications/models/notification_template'
import type { ListedVersion } from '#app/notifications/queries/version_list'

/** Expects `notificationType` and `versions` to be loaded (notifications.md#template-fields). */
export function templateResource(template: NotificationTemplate) {
  return {
    id: template.id,
    type: template.notificationType.code,
    key: template.key,
    name: template.name,
    description: template.description,
    variables: template.variables,
    locales: template.versions.map(({ locale }) => locale).sort(),
    createdAt: isoTimestamp(template.createdAt),
    updatedAt: isoTimestamp(template.updatedAt),
  }
}

export function templateVersionResource(version: ListedVersion) {
  return {
    id: version.id,
    locale: version.locale,
    revision: version.revision,
    subjectTemplate: version.subjectTemplate,
    bodyTemplate: version.bodyTemplate,
    createdAt: isoTimestamp(version.createdAt),
    updatedAt: isoTimestamp(version.updatedAt),
  }
}
