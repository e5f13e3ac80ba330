import type Brand from '#app/platform/models/brand'
import { brandColors } from '#app/notifications/rendering/brand_colors'
import { escapeHtml, escapeUrl } from '#app/notifications/rendering/escape'
import type { UnsubscribeLink } from '#app/notifications/rendering/unsubscribe_link'

export interface LayoutInput {
  brand: Brand
  locale: string
  subject: string
  /** Safe HTML */
  body: string
  unsubscribe?: UnsubscribeLink | null
}

const FAMILY = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const RIGHT_TO_LEFT = new Set(['ar', 'fa', 'he', 'ur', 'yi'])

/** Whether a body is a complete HTML document, which is sent without the layout. */
export function isDocument(body: string): boolean {
  return /<(?:html|body)[\s>]/i.test(body)
}

/** Tables and inline styles only, because that is what all mail programs support. */
export function applyLayout({ brand, locale, subject, body, unsubscribe }: LayoutInput): string {
  const { primary, background, muted, font } = brandColors(brand)
  const logoUrl = brand.appearance?.logoUrl
  const name = escapeHtml(brand.name)
  const logo = logoUrl && escapeUrl(logoUrl)
  const heading = logo
    ? `<img src="${logo}" alt="${name}" height="40" style="display:block;height:40px;max-width:240px;border:0;color:${primary};font-size:20px;font-weight:700">`
    : `<span style="color:${primary};font-size:20px;line-height:40px;font-weight:700">${name}</span>`
  const direction = RIGHT_TO_LEFT.has(locale.split('-', 1)[0]) ? 'rtl' : 'ltr'
  return `<!doctype html>
<html lang="${escapeHtml(locale)}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="x-apple-disable-message-reformatting">
<title>${escapeHtml(subject)}</title>
</head>
<body style="margin:0;padding:0;background-color:${background};-webkit-text-size-adjust:100%">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="${background}" style="background-color:${background}">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:600px;font-family:${FAMILY}">
<tr><td style="padding:0 8px 20px">${heading}</td></tr>
<tr><td bgcolor="#ffffff" style="background-color:#ffffff;border-top:4px solid ${primary};border-radius:8px;padding:32px;color:${font};font-size:16px;line-height:1.5">
${body}${unsubscribe ? unsubscribeLine(unsubscribe) : ''}
</td></tr>
<tr><td align="center" style="padding:20px 8px 0;color:${muted};font-size:13px;line-height:1.5">${name}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>`
}

/** On the card, because its white is the only background that every brand has. */
function unsubscribeLine({ url, label }: UnsubscribeLink): string {
  return `
<div style="margin-top:32px;border-top:1px solid #e5e7eb;padding-top:16px;font-size:13px;line-height:1.5"><a href="${escapeUrl(url)}" style="color:#4b5563;text-decoration:underline">${escapeHtml(label)}</a></div>`
}
