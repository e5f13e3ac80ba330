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
 * nothing about people who were erased meanwhile.
 */
export async function recordTexts(rendered: RenderedAgain[]) {
  const rows = rendered.filter(hidesEnough).map(({ notification: { id, email }, record }) => ({
    id,
    email,
    app_name: record.appName,
    template_key: record.templateKey,
    locale: record.locale,
    subject: record.subject,
    template_source: record.templateSource,
  }))
  if (rows.length > 0) await recordStatements().updateTexts.all([JSON.stringify(rows)])
}

/** What was sensitive stays masked even if the template declares it no longer. */
function hidesEnough({ notification: { sensitiveVariables }, record }: RenderedAgain) {
  const shown = new Set(sensitiveVariables).difference(new Set(record.sensitiveVariables))
  return !hasSensitiveValue(record.payload, [...shown])
}
