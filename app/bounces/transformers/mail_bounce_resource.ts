import { isoTimestamp } from '#core/values/iso_timestamp'
import type MailBounce from '#app/suppressions/models/mail_bounce'

export function mailBounceResource(bounce: MailBounce) {
  return {
    id: bounce.id,
    email: bounce.email,
    kind: bounce.kind,
    /** The notification that came back or was reported; null if it is unknown */
    notificationId: bounce.notificationId,
    /** The application that sent it; null if the notification is unknown or was deleted */
    appCode: (bounce.$extras.app_code ?? null) as string | null,
    createdAt: isoTimestamp(bounce.createdAt),
  }
}
