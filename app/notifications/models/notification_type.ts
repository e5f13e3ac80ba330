import { NotificationTypeSchema } from '#database/schema'

/** A kind of message an application sends, with its channels' switches (specification 2.12). */
export default class NotificationType extends NotificationTypeSchema {}
