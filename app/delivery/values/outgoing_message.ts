import type Application from '#app/applications/models/application'
import type NotificationType from '#app/notifications/models/notification_type'
import type PushSubscription from '#app/notifications/models/push_subscription'
import type Brand from '#app/platform/models/brand'
import type User from '#app/profiles/models/user'

/** A rendered notification on its way to one person: everything any channel needs. */
export interface OutgoingMessage {
  /** The same for every attempt to deliver this notification, and for no other. */
  reference: string
  application: Application
  type: NotificationType
  brand: Brand
  recipient: User
  subscriptions: PushSubscription[]
  data: Record<string, unknown>
  subject: string
  html: string
  text: string
}
