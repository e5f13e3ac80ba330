import type NotificationType from '#app/notifications/models/notification_type'

export function notificationTypeResource(type: NotificationType) {
  return {
    id: type.id,
    code: type.code,
    name: type.name,
    description: type.description,
    emailEnabled: type.emailEnabled,
    pushEnabled: type.pushEnabled,
    userCanDisable: type.userCanDisable,
    defaultEmail: type.defaultEmail,
    defaultPush: type.defaultPush,
    selfServiceEnabled: type.selfServiceEnabled,
    /** Whether quiet hours do not postpone it */
    urgent: type.urgent,
    system: type.system,
    emailFromName: type.emailFromName,
  }
}
