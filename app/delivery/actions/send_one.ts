import { Problem } from '#core/exceptions/problem'
import type { InternalCaller } from '#app/auth/values/internal_caller'
import { Deadline } from '#core/values/deadline'
import type { KeyClaim } from '#app/delivery/values/key_claim'
import { sendNotifications } from '#app/delivery/actions/send_notifications'
import { readStoredResult } from '#app/delivery/actions/read_stored_result'
import type { NotificationRequest, SendResult } from '#app/delivery/values/notification_request'
import mailConfig from '#config/mail'

/**
 * @throws ApplicationNotFound, KeyNotForApplication, SystemType, TemplateRequired, UnknownTemplate,
 *   MissingTemplateVariables, Overloaded
 */
export async function sendOne(
  request: NotificationRequest,
  caller: InternalCaller,
  key?: KeyClaim
): Promise<SendResult> {
  const earlier = key?.notificationId ? await readStoredResult(key.notificationId) : null
  if (earlier) return earlier
  const deadline = new Deadline(mailConfig.singleBudgetMs)
  const [result] = await sendNotifications([request], caller, deadline, key)
  if (result instanceof Problem) throw result
  return result
}
