import { escapeHtml, escapeUrl } from '#app/notifications/rendering/escape'
import { brandColors } from '#app/notifications/rendering/brand_colors'
import { layOut } from '#app/notifications/rendering/layout'
import { cutSubject } from '#app/notifications/rendering/subject'
import type Brand from '#app/platform/models/brand'
import type { ProviderMessage } from '#app/identity_provider/values/provider_message'
import { button, heading, note, paragraph, preheader } from '#resources/auth_emails/parts'

/**
 * The provider's own texts in the layout of the brand (specification 4.7, rule 4). Null when they do not make a mail.
 */
export function renderProviderContent(message: ProviderMessage, brand: Brand, locale: string) {
  const { title, preHeader, greeting, text, buttonText, footerText } = message.texts
  const subject = cutSubject(message.texts.subject ?? title ?? preHeader ?? '')
  if (!subject || !text) return null
  const { primary, onPrimary } = brandColors(brand)
  const link = message.url && buttonText && { url: message.url, label: buttonText }
  const body = [
    preHeader && preheader(lines(preHeader)),
    title && heading(lines(title)),
    greeting && paragraph(lines(greeting)),
    paragraph(lines(text)),
    link &&
      button({
        href: escapeUrl(link.url),
        label: lines(link.label),
        color: primary,
        textColor: onPrimary,
      }),
    footerText && note(lines(footerText)),
  ]
  const plain = [greeting, text, link && `${link.label}: ${link.url}`, footerText]
  return {
    subject,
    html: layOut({ brand, locale, subject, body: body.filter(Boolean).join('\n') }),
    text: plain.filter(Boolean).join('\n\n'),
  }
}

const lines = (text: string) => escapeHtml(text).replaceAll('\n', '<br>\n')
