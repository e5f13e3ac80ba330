import type Application from '#app/applications/models/application'
import type NotificationType from '#app/notifications/models/notification_type'
import type { PushTarget } from '#app/notifications/values/push_target'
import type Brand from '#app/platform/models/brand'
import type User from '#app/profiles/models/user'

/** A rendered e-mail to one person: everything the mail channel needs. */
export interface OutgoingMail {
  /** The same for every attempt to deliver this mail, and for no other. */
  reference: string
  brand: Brand
  type: Pick<NotificationType, 'id' | 'system' | 'userCanDisable' | 'emailFromName'>
  recipient: Pick<User, 'id' | 'email' | 'calledName'>
  /** The domain of its `Message-ID`, if it differs from the sender's current one. */
  messageDomain?: string
  subject: string
  html: string
  text: string
}

/** A rendered notification on its way to one person: everything any channel needs. */
export interface OutgoingMessage extends OutgoingMail {
  application: Application
  type: NotificationType
  recipient: User
  subscriptions: PushTarget[]
  data: Record<string, unknown>
}
