import { Problem } from '#core/exceptions/problem'
import type { InternalCaller } from '#app/auth/values/internal_caller'
import { Deadline } from '#core/values/deadline'
import { sendNotifications } from '#app/delivery/actions/send_notifications'
import type { NotificationRequest, SendResult } from '#app/delivery/values/notification_request'
import mailConfig from '#config/mail'

/** @throws ApplicationNotFound, KeyNotForApplication, SystemType, TemplateRequired, UnknownTemplate, MissingTemplateVariables */
export async function sendOne(
  request: NotificationRequest,
  caller: InternalCaller
): Promise<SendResult> {
  const deadline = new Deadline(mailConfig.singleBudgetMs)
  const [result] = await sendNotifications([request], caller, deadline)
  if (result instanceof Problem) throw result
  return result
}
