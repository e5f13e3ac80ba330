import { Deadline } from '#core/values/deadline'
import { deliver } from '#app/delivery/actions/deliver'
import { readRecipients } from '#app/delivery/actions/read_recipients'
import { recordDeliveries } from '#app/delivery/actions/record_deliveries'
import { recordNotifications } from '#app/delivery/actions/record_notifications'
import { notificationRecord } from '#app/delivery/values/notification_record'
import type { SendResult } from '#app/delivery/values/notification_request'
import { renderVersion } from '#app/notifications/actions/preview_version'
import { MissingTemplateVariables } from '#app/notifications/exceptions'
import NotificationTemplate from '#app/notifications/models/notification_template'
import { sensitiveKeys, sensitiveTexts } from '#app/notifications/values/sensitive_variables'
import mailConfig from '#config/mail'

export interface TestMailRequest {
  templateId: number
  locale: string
  data: Record<string, unknown>
  caller: string
}

/**
 * Ignores the preferences of the caller (delivery.md#test-sends).
 * @throws TemplateNotFound, TemplateVersionNotFound, MissingTemplateVariables, RenderedTooLarge
 */
export async function sendTestMail({
  templateId,
  locale,
  data,
  caller,
}: TestMailRequest): Promise<SendResult> {
  const { missing, ...message } = await renderVersion(templateId, locale, data, caller)
  if (missing.length > 0) throw new MissingTemplateVariables(missing)
  const template = await NotificationTemplate.withId(templateId)
  await template.load('notificationType', (types) => types.preload('application'))
  const { notificationType: type } = template
  const { application } = type
  const request = { recipientEmail: caller, appCode: application.code, type: type.code, data }
  const [details] = await readRecipients([{ request, application, type, template }])
  const sensitiveVariables = sensitiveKeys(type, template, data)
  const record = notificationRecord(application, {
    email: caller,
    type: type.code,
    templateKey: template.key,
    locale,
    subject: message.recordedSubject,
    payload: data,
    templateSource: 'panel',
    sensitiveVariables,
    status: 'failed',
    statusReason: 'SMTP_ERROR: the delivery did not finish',
  })
  const [{ id, reference }] = await recordNotifications([{ record, recipientId: details.user.id }])
  const { results, outcome } = await deliver(
    {
      ...message,
      reference,
      application,
      type,
      data,
      ...details,
      recipient: details.user,
      secrets: sensitiveTexts(data, sensitiveVariables),
    },
    ['email'],
    new Deadline(mailConfig.singleBudgetMs)
  )
  await recordDeliveries([{ id, results, outcome }])
  return { id, ...outcome }
}
