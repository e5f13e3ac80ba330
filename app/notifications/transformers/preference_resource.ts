import type NotificationPreference from '#app/notifications/models/notification_preference'
import type NotificationType from '#app/notifications/models/notification_type'

export function preferenceResource(
  type: NotificationType,
  own: NotificationPreference | undefined
) {
  return {
    notificationTypeId: type.id,
    code: type.code,
    name: type.name,
    description: type.description,
    emailEnabled: type.emailEnabled,
    pushEnabled: type.pushEnabled,
    userCanDisable: type.userCanDisable,
    email: own?.email ?? type.defaultEmail,
    push: own?.push ?? type.defaultPush,
  }
}
