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
  /** Replaced in everything that is recorded */
  secrets: string[]
}

export const MAIL_CONTENT_PURPOSE = 'identity_provider.mail'
