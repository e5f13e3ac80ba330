import type NotificationPreference from '#app/notifications/models/notification_preference'
import type NotificationType from '#app/notifications/models/notification_type'
import { digestChoicesOf, digestOf } from '#app/notifications/values/digest_frequency'
import { switchesOf } from '#app/notifications/values/switches'

export function preferenceResource(
  type: NotificationType,
  own: NotificationPreference | undefined
) {
  const { email, push } = switchesOf(type, own ?? null)
  return {
    notificationTypeId: type.id,
    code: type.code,
    name: type.name,
    description: type.description,
    emailEnabled: type.emailEnabled,
    pushEnabled: type.pushEnabled,
    userCanDisable: type.userCanDisable,
    email,
    push,
    /** How often mails arrive in one digest; with `off`, each mail arrives immediately */
    digest: digestOf(type, own?.digest ?? null),
    /** What the user can choose as `digest` */
    digestChoices: digestChoicesOf(type),
  }
}
