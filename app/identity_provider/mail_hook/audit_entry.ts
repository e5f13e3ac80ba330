import type Notification from '#app/notifications/models/notification'
import type { ComposedProviderMail } from '#app/identity_provider/mail_hook/compose_provider_mail'
import { AUTH_TYPE } from '#app/identity_provider/auth_templates/auth_templates'
import { withoutSecrets } from '#app/identity_provider/mail_hook/mail_content'
import type { ProviderMessage } from '#app/identity_provider/mail_hook/provider_message'

export type AuditEntry = Pick<
  Notification,
  | 'email'
  | 'appCode'
  | 'appName'
  | 'type'
  | 'templateKey'
  | 'locale'
  | 'subject'
  | 'status'
  | 'statusReason'
  | 'payload'
  | 'inInbox'
>

export type AuditOutcome = Pick<AuditEntry, 'status' | 'statusReason'>

export const UNFINISHED: AuditOutcome = {
  status: 'failed',
  statusReason: 'SMTP_ERROR: the delivery did not finish',
}

/** Contains no codes, links or payload (identity-provider.md#log-entry-of-a-system-mail). */
export function auditEntry(
  email: string,
  message: ProviderMessage,
  composed: ComposedProviderMail,
  outcome: AuditOutcome
): AuditEntry {
  const { application, templateKey, locale, mail, source, fallbackReason } = composed
  return {
    email,
    appCode: application.code,
    appName: application.name,
    type: AUTH_TYPE,
    templateKey,
    locale,
    subject: withoutSecrets(mail?.subject ?? '', message.secrets),
    payload: { templateSource: source, ...(fallbackReason && { fallbackReason }) },
    inInbox: false,
    ...outcome,
  }
}
