import { NotificationTypeSampleSchema } from '#database/schema'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type NotificationType from '#app/notifications/models/notification_type'

/** Named data for previews and tests of a type's templates (notifications.md#sample-data). */
export default class NotificationTypeSample extends NotificationTypeSampleSchema {
  /** In the order in which they were sent. */
  static ofType({ id }: NotificationType, client?: QueryClientContract) {
    return this.query({ client }).where('notificationTypeId', id).orderBy('id')
  }
}
