import { secrets } from '#core/secrets'
import { messageDomainOf } from '#app/delivery/mail/compose_mail'
import type { OutgoingMessage } from '#app/delivery/values/outgoing_message'

const PURPOSE = 'delivery.pending_send'

export interface PendingContent {
  userId: number
  brandId: number
  applicationId: number
  typeId: number
  subject: string
  html: string
  text: string
  mailText?: string
  url: unknown
  /** Keeps the `Message-ID` even if the sender's address changes */
  messageDomain: string
  /** Absent in rows from before this field */
  secrets?: readonly string[]
}

export function encryptContent(message: Omit<OutgoingMessage, 'reference'>): string {
  const { subject, html, text, mailText, secrets: redacted } = message
  const content: PendingContent = {
    subject,
    html,
    text,
    mailText,
    userId: message.recipient.id,
    brandId: message.brand.id,
    applicationId: message.application.id,
    typeId: message.type.id,
    url: message.data.url,
    messageDomain: messageDomainOf(message),
    secrets: redacted,
  }
  return secrets.encrypt(JSON.stringify(content), PURPOSE)
}

/** Null if it was encrypted with an unknown key. */
export function decryptContent(sealed: string): PendingContent | null {
  const json = secrets.decrypt(sealed, PURPOSE)
  return json === null ? null : (JSON.parse(json) as PendingContent)
}
