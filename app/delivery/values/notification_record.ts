import type { DateTime } from 'luxon'
import type Application from '#app/applications/models/application'
import type { DeliveryOutcome } from '#app/delivery/values/delivery_outcome'
import type { TemplateSource } from '#app/notifications/values/template_source'

export interface NotificationRecord extends DeliveryOutcome {
  email: string
  appCode: string
  appName: string
  type: string
  templateKey: string | null
  locale: string
  subject: string
  payload: Record<string, unknown>
  inInbox: boolean
  /** When it is delivered, if not immediately */
  scheduledFor: DateTime | null
  broadcastId: number | null
  templateSource: TemplateSource | null
  /** Keys of the variables whose values only the recipient sees */
  sensitiveVariables: string[]
  /** What the inbox shows, if the notification is in it */
  bodyText: string | null
  bodyHtml: string | null
  /** The number of notifications in it, if it is a digest. Null for others. */
  digestSize: number | null
  /** Encoded. Null if nothing was decided about the recipient. */
  explanation: string | null
}

type RequiredFields = 'email' | 'type' | 'status' | 'statusReason'

/** The log entry of a message of the application; by default one without texts. */
export function notificationRecord(
  application: Pick<Application, 'code' | 'name'>,
  fields: Pick<NotificationRecord, RequiredFields> &
    Partial<Omit<NotificationRecord, 'appCode' | 'appName'>>
): NotificationRecord {
  return {
    appCode: application.code,
    appName: application.name,
    templateKey: null,
    locale: 'en',
    subject: '',
    payload: {},
    inInbox: false,
    scheduledFor: null,
    broadcastId: null,
    templateSource: null,
    sensitiveVariables: [],
    bodyText: null,
    bodyHtml: null,
    digestSize: null,
    explanation: null,
    ...fields,
  }
}
