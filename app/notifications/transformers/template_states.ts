import type { AuditState } from '#core/audit/change'
import type NotificationTemplate from '#app/notifications/models/notification_template'
import type TemplateVersion from '#app/notifications/models/template_version'

/** For the audit trail. Versions have entries of their own. */
export function templateState(template: NotificationTemplate): AuditState {
  const { key, name, description, variables } = template
  return { key, name, description, variables }
}

/** For the audit trail, by the language. */
export function versionState(version: TemplateVersion): AuditState {
  const { locale, subjectTemplate, bodyTemplate } = version
  return { [locale]: { subjectTemplate, bodyTemplate } }
}
