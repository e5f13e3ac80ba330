// The parts take HTML. They use only what all mail programs support: tables and inline styles.

/** Shown only beside the subject in the list of mails. */
export const preheader = (html: string) =>
  `<div class="preheader" style="display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;color:transparent;font-size:1px;line-height:1px">${html}</div>`

export const heading = (html: string) =>
  `<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3;font-weight:700">${html}</h1>`

export const paragraph = (html: string) => `<p style="margin:0 0 16px">${html}</p>`

export const codeBox = (html: string) =>
  `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 24px">
<tr><td align="center" bgcolor="#f3f4f6" style="background-color:#f3f4f6;border:1px solid #d1d5db;border-radius:8px;padding:16px;color:#111827;font-family:Menlo,Consolas,'Courier New',monospace;font-size:26px;line-height:1.3;font-weight:700;letter-spacing:3px;word-break:break-all">${html}</td></tr>
</table>`

interface Button {
  href: string
  label: string
  color?: string
  textColor?: string
}

/** The cell has the colour too, for mail programs that ignore the padding of links. */
export const button = ({
  href,
  label,
  color = '{{brandColor}}',
  textColor = '{{brandTextColor}}',
}: Button) =>
  `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 24px">
<tr><td align="center" bgcolor="${color}" style="background-color:${color};border-radius:6px;mso-padding-alt:14px 28px"><a href="${href}" target="_blank" style="display:inline-block;padding:14px 28px;border-radius:6px;background-color:${color};color:${textColor};font-size:16px;line-height:1.25;font-weight:700;text-decoration:none">${label}</a></td></tr>
</table>`

export const note = (html: string) =>
  `<p style="margin:0 0 12px;color:#6b7280;font-size:13px;line-height:1.5;word-break:break-word">${html}</p>`
