import { escapeHtml, escapeUrl } from '#app/notifications/rendering/escape'
import { brandColors } from '#app/notifications/rendering/brand_colors'
import { applyLayout } from '#app/notifications/rendering/layout'
import { cutSubject } from '#app/notifications/rendering/subject'
import type Brand from '#app/platform/models/brand'
import type { ProviderMessage } from '#app/identity_provider/mail_hook/provider_message'
import { button, heading, note, paragraph, preheader } from '#resources/auth_emails/parts'

/** Null if the texts do not make a mail (identity-provider.md#provider-content). */
export function renderProviderContent(message: ProviderMessage, brand: Brand, locale: string) {
  const { title, preHeader, greeting, text, buttonText, footerText } = message.texts
  const subject = cutSubject(message.texts.subject ?? title ?? preHeader ?? '')
  if (!subject || !text) return null
  const { primary, onPrimary } = brandColors(brand)
  const link = message.url && buttonText && { url: message.url, label: buttonText }
  const body = [
    preHeader && preheader(htmlLines(preHeader)),
    title && heading(htmlLines(title)),
    greeting && paragraph(htmlLines(greeting)),
    paragraph(htmlLines(text)),
    link &&
      button({
        href: escapeUrl(link.url),
        label: htmlLines(link.label),
        color: primary,
        textColor: onPrimary,
      }),
    footerText && note(htmlLines(footerText)),
  ]
  const plain = [greeting, text, link && `${link.label}: ${link.url}`, footerText]
  return {
    subject,
    html: applyLayout({ brand, locale, subject, body: body.filter(Boolean).join('\n') }),
    text: plain.filter(Boolean).join('\n\n'),
  }
}

const htmlLines = (text: string) => escapeHtml(text).replaceAll('\n', '<br>\n')
