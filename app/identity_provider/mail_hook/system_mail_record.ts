import { redactSecrets } from '#core/values/redact'
import {
  type NotificationRecord,
  notificationRecord,
} from '#app/delivery/values/notification_record'
import type { ComposedProviderMail } from '#app/identity_provider/mail_hook/compose_provider_mail'
import { AUTH_TYPE } from '#app/identity_provider/auth_templates/auth_templates'
import type { ProviderMessage } from '#app/identity_provider/mail_hook/provider_message'

type RecordedOutcome = Pick<NotificationRecord, 'status' | 'statusReason'>

const NO_TEXTS: RecordedOutcome = {
  status: 'failed',
  statusReason: 'NO_TEMPLATE: there is neither a template nor a text from the provider',
}
const NO_ADDRESS: RecordedOutcome = {
  status: 'skipped',
  statusReason: 'NO_CHANNEL: the message has no valid recipient address',
}
/** Replaced after each delivery round. */
const UNFINISHED: RecordedOutcome = {
  status: 'failed',
  statusReason: 'SMTP_ERROR: the delivery did not finish',
}

/** Contains no codes, links or payload (identity-provider.md#log-entry-of-a-system-mail). */
export function systemMailRecord(
  email: string | null,
  message: ProviderMessage,
  composed: ComposedProviderMail
): NotificationRecord {
  const { application, templateKey, locale, mail, source, fallbackReason } = composed
  return notificationRecord(application, {
    email: email ?? '',
    type: AUTH_TYPE,
    templateKey,
    locale,
    subject: redactSecrets(mail?.subject ?? '', message.secrets),
    payload: { templateSource: source, ...(fallbackReason && { fallbackReason }) },
    templateSource: mail && source,
    ...outcomeOf(email, composed),
  })
}

function outcomeOf(email: string | null, { mail }: ComposedProviderMail): RecordedOutcome {
  if (mail === null) return NO_TEXTS
  return email === null ? NO_ADDRESS : UNFINISHED
}
