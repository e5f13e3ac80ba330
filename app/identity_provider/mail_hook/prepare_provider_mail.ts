import { isPlainlyWritten, normalizeEmail } from '#core/values/email'
import type { NotificationRecord } from '#app/delivery/values/notification_record'
import { systemMailRecord } from '#app/identity_provider/mail_hook/system_mail_record'
import { composeProviderMail } from '#app/identity_provider/mail_hook/compose_provider_mail'
import type { MailContent, TemplateSource } from '#app/identity_provider/mail_hook/mail_content'
import type { ProviderMessage } from '#app/identity_provider/mail_hook/provider_message'
import { readMailRecipient } from '#app/identity_provider/mail_hook/read_mail_recipient'
import { resolveMailBrand } from '#app/identity_provider/mail_hook/resolve_mail_brand'

/** `content` is null for a mail that can never be delivered; `record` then says why. */
export type PreparedProviderMail = { record: NotificationRecord } & (
  | { content: MailContent; templateSource: TemplateSource }
  | { content: null; templateSource: TemplateSource | null }
)

/** @throws OrganisationNotServed */
export async function prepareProviderMail(message: ProviderMessage): Promise<PreparedProviderMail> {
  const brand = await resolveMailBrand(message.organisation)
  const email = isPlainlyWritten(message.recipient) ? normalizeEmail(message.recipient) : null
  const { name, locale } = await readMailRecipient(email ?? '', message)
  const recipient = { email: email ?? '', name, brand }
  const composed = await composeProviderMail({ message, recipient, locale })
  const { mail, source, fromName } = composed
  const record = systemMailRecord(email, message, composed)
  if (mail === null) return { record, content: null, templateSource: null }
  if (email === null) return { record, content: null, templateSource: source }
  const content = {
    brandId: brand.id,
    recipient: { email, name },
    fromName,
    subject: mail.subject,
    html: mail.html,
    text: mail.text,
    secrets: message.secrets,
  }
  return { record, content, templateSource: source }
}
