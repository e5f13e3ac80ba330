import { isoTimestamp } from '#core/database/columns'
import type NotificationTemplate from '#app/notifications/models/notification_template'
import type TemplateVersion from '#app/notifications/models/template_version'

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

export function templateVersionResource(version: TemplateVersion) {
  return {
    id: version.id,
    locale: version.locale,
    subjectTemplate: version.subjectTemplate,
    bodyTemplate: version.bodyTemplate,
    createdAt: isoTimestamp(version.createdAt),
    updatedAt: isoTimestamp(version.updatedAt),
  }
}
