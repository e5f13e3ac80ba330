/** Whose texts a mail has: a template of the panel's, or the provider's ready-made ones. */
export type TemplateSource = 'panel' | 'idp'

/** Why a mail has the provider's texts (identity-provider.md#fallback-reasons). */
export type FallbackReason =
  'NO_TEMPLATE' | 'NO_LOCALE' | 'MISSING_VARIABLES' | 'UNKNOWN_EVENT' | 'RENDER_ERROR'

/** A rendered mail as it waits to be sent, encrypted: every round of delivering sends the very same. */
export interface MailContent {
  brandId: number
  recipient: { email: string; name: string }
  /** The sender name of the type; null: that of the brand. */
  fromName: string | null
  subject: string
  html: string
  text: string
  /** What no record or log may repeat, wherever it turns up. */
  secrets: string[]
}

export const MAIL_CONTENT = 'identity_provider.mail'

/** The text without any of the secrets. */
export function withoutSecrets(text: string, secrets: string[]): string {
  // The longest first: a link holds the code.
  const ordered = secrets.filter(Boolean).sort((one, other) => other.length - one.length)
  return ordered.reduce((rest, secret) => rest.replaceAll(secret, '…'), text)
}
