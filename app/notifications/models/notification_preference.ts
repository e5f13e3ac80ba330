import { NotificationPreferenceSchema } from '#database/schema'

/** A user without a row gets the defaults of the type (notifications.md#preference-fields). */
export default class NotificationPreference extends NotificationPreferenceSchema {}
