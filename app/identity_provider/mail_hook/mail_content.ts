export type TemplateSource = 'panel' | 'idp'

export type FallbackReason =
  'NO_TEMPLATE' | 'NO_LOCALE' | 'MISSING_VARIABLES' | 'UNKNOWN_EVENT' | 'RENDER_ERROR'

/** A rendered mail as it is stored, encrypted, until it is sent. */
export interface MailContent {
  brandId: number
  recipient: { email: string; name: string }
  /** Null for the sender name of the brand. */
  fromName: string | null
  subject: string
  html: string
  text: string
  /** See `redactSecrets`. */
  secrets: string[]
}

export const MAIL_CONTENT_PURPOSE = 'identity_provider.mail'

export function redactSecrets(text: string, secrets: string[]): string {
  // Longest first, because a link contains its code.
  const ordered = secrets.filter(Boolean).sort((one, other) => other.length - one.length)
  return ordered.reduce((rest, secret) => rest.replaceAll(secret, '…'), text)
}
