import { recordStatements } from '#app/delivery/queries/record_statements'
import type { NotificationRecord } from '#app/delivery/values/notification_record'
import type Notification from '#app/notifications/models/notification'
import { hasSensitiveValue } from '#app/notifications/values/sensitive_variables'

export interface RenderedAgain {
  notification: Pick<Notification, 'id' | 'email' | 'sensitiveVariables'>
  record: NotificationRecord
}

/**
 * Log and inbox show the message that was sent, so call this before another one is sent. Records
 * nothing about users who were erased meanwhile.
 */
export async function recordTexts(rendered: RenderedAgain[]) {
  const rows = rendered.flatMap((item) => {
    const texts = textsOf(item)
    return texts === null ? [] : [rowOf(item, texts)]
  })
  if (rows.length > 0) await recordStatements().updateTexts.all([JSON.stringify(rows)])
}

/** What the record shows of the message. Null if that would reveal what was sensitive. */
export function textsOf(rendered: RenderedAgain) {
  if (!hidesEnough(rendered)) return null
  const { appName, templateKey, locale, subject, templateSource } = rendered.record
  const { bodyText, bodyHtml } = rendered.record
  return { appName, templateKey, locale, subject, templateSource, bodyText, bodyHtml }
}

function rowOf(
  { notification: { id, email } }: RenderedAgain,
  texts: NonNullable<ReturnType<typeof textsOf>>
) {
  return {
    id,
    email,
    app_name: texts.appName,
    template_key: texts.templateKey,
    locale: texts.locale,
    subject: texts.subject,
    template_source: texts.templateSource,
    body_text: texts.bodyText,
    body_html: texts.bodyHtml,
  }
}

/** What was sensitive stays masked even if the template declares it no longer. */
function hidesEnough({ notification: { sensitiveVariables }, record }: RenderedAgain) {
  const shown = new Set(sensitiveVariables).difference(new Set(record.sensitiveVariables))
  return !hasSensitiveValue(record.payload, [...shown])
}
