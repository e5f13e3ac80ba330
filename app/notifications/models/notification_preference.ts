import { NotificationPreferenceSchema } from '#database/schema'

/** A person's own switches for one notification type; without a row the type's defaults apply (specification 2.3). */
export default class NotificationPreference extends NotificationPreferenceSchema {}
