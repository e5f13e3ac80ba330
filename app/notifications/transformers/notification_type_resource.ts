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
    /** Null if its mails are never part of a digest */
    digest: type.digest && {
      /** What users can choose besides `off` */
      allowed: type.digest.allowed,
      /** For users who have not chosen */
      default: type.digest.default,
      /** The template of the digests; null for the built-in one */
      templateKey: type.digest.templateKey,
    },
    system: type.system,
    emailFromName: type.emailFromName,
  }
}
