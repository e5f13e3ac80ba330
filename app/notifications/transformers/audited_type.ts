import type { AuditedRow } from '#core/audit/audited_row'
import type NotificationType from '#app/notifications/models/notification_type'
import { notificationTypeResource } from '#app/notifications/transformers/notification_type_resource'
import { typeTarget } from '#app/notifications/values/audit_targets'

export const auditedType = (type: NotificationType, appCode: string): AuditedRow => ({
  application: { id: type.applicationId, code: appCode },
  target: typeTarget(type),
  state: notificationTypeResource(type),
})
