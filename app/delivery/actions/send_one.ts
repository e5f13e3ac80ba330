import { Problem } from '#core/exceptions/problem'
import type { InternalCaller } from '#app/auth/values/internal_caller'
import { Deadline } from '#core/values/deadline'
import type { HeldKey } from '#app/delivery/actions/once_per_key'
import { sendNotifications } from '#app/delivery/actions/send_notifications'
import { storedResult } from '#app/delivery/actions/stored_result'
import type { NotificationRequest, SendResult } from '#app/delivery/values/notification_request'
import mailConfig from '#config/mail'

/**
 * @throws ApplicationNotFound, KeyNotForApplication, SystemType, TemplateRequired, UnknownTemplate,
 * MissingTemplateVariables
 */
export async function sendOne(
  request: NotificationRequest,
  caller: InternalCaller,
  held?: HeldKey
): Promise<SendResult> {
  const earlier = held?.notificationId ? await storedResult(held.notificationId) : null
  if (earlier) return earlier
  const deadline = new Deadline(mailConfig.singleBudgetMs)
  const [result] = await sendNotifications([request], caller, deadline, held)
  if (result instanceof Problem) throw result
  return result
}
