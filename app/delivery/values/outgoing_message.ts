import type Application from '#app/applications/models/application'
import type NotificationType from '#app/notifications/models/notification_type'
import type { PushTarget } from '#app/notifications/values/push_target'
import type Brand from '#app/platform/models/brand'
import type User from '#app/profiles/models/user'

export interface OutgoingMail {
  reference: string
  brand: Brand
  /** None if the service itself sends it */
  application?: Pick<Application, 'id'>
  type: Pick<
    NotificationType,
    'id' | 'code' | 'system' | 'userCanDisable' | 'selfServiceEnabled' | 'emailFromName'
  >
  recipient: Pick<User, 'id' | 'email' | 'nameInMessages'>
  /** The domain of the `Message-ID`; by default the domain of the sender */
  messageDomain?: string
  subject: string
  html: string
  text: string
  /** The text part of the mail, if it is not `text` */
  mailText?: string
  /** What it shows already; otherwise it is made */
  unsubscribeUrl?: string | null
  /** Texts that must not be recorded when a server quotes them */
  secrets?: readonly string[]
}

export interface OutgoingMessage extends OutgoingMail {
  application: Application
  type: NotificationType
  recipient: User
  subscriptions: PushTarget[]
  data: Record<string, unknown>
}
