import { NotificationPreferenceSchema } from '#database/schema'

/** A person's own switches for one notification type; without a row the type's defaults apply (notifications.md#preference-fields). */
export default class NotificationPreference extends NotificationPreferenceSchema {}
