import { Problem } from '#core/exceptions/problem'
import { Deadline } from '#core/values/deadline'
import { sendNotifications } from '#app/delivery/actions/send_notifications'
import type { NotificationRequest, SendResult } from '#app/delivery/values/notification_request'
import mailConfig from '#config/mail'

/** @throws ApplicationNotFound, TemplateRequired, UnknownTemplate, MissingTemplateVariables */
export async function sendOne(request: NotificationRequest): Promise<SendResult> {
  const [result] = await sendNotifications([request], new Deadline(mailConfig.singleBudgetMs))
  if (result instanceof Problem) throw result
  return result
}
