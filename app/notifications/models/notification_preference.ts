import { column } from '@adonisjs/lucid/orm'
import { NotificationPreferenceSchema } from '#database/schema'
import type { DigestChoice } from '#app/notifications/values/digest_frequency'

/** A user without a row gets the defaults of the type (notifications.md#preference-fields). */
export default class NotificationPreference extends NotificationPreferenceSchema {
  /** Null until the user has chosen. */
  @column()
  declare digest: DigestChoice | null
}
