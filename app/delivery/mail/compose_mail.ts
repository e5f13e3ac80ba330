import type { DkimKey } from '#app/delivery/mail/parse_dkim_key'
import { bounceAddressOf } from '#app/delivery/mail/signed_bounce_address'
import { literalName, literalSubject } from '#app/delivery/mail/literal_text'
import { dkimKeyOf, senderOf } from '#app/delivery/mail/sender'
import type { SigningOptions } from '#app/delivery/mail/sign_mail'
import { unsubscribeUrlFor } from '#app/notifications/values/unsubscribe_token'
import type { OutgoingMail } from '#app/delivery/values/outgoing_message'
import { MAX_SUBJECT_LENGTH } from '#app/notifications/rendering/subject'

// nodemailer's default lacks the headers of one-click unsubscribing (RFC 8058).
const SIGNED_HEADERS = [
  'From',
  'Sender',
  'Reply-To',
  'Subject',
  'Date',
  'Message-ID',
  'To',
  'MIME-Version',
  'Content-Type',
  'Content-Transfer-Encoding',
  'List-Unsubscribe',
  'List-Unsubscribe-Post',
].join(':')

export class UnusableMail extends Error {
  override name = 'UnusableMail'
}

/**
 * Addresses are objects, because nodemailer parses strings as lists.
 *
 * @throws UnusableSender, UnusableMail
 */
export function composeMail(message: OutgoingMail) {
  const { brand, type, recipient, reference } = message
  const from = senderOf(brand, type)
  const messageId = `<${reference}@${message.messageDomain ?? messageDomainOf(message)}>`
  requireShort([message.subject, from.name, from.address, recipient.nameInMessages, messageId])
  const subject = literalSubject(message.subject)
  return {
    from: { ...from, name: literalName(from.name) },
    to: [{ address: recipient.email, name: literalName(recipient.nameInMessages) }],
    replyTo: brand.replyTo ? [{ address: brand.replyTo, name: '' }] : undefined,
    subject: subject === null ? message.subject : undefined,
    html: message.html,
    text: message.mailText ?? message.text,
    envelope: envelopeOf(message),
    messageId,
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(subject && { Subject: subject }),
      ...unsubscribeHeaders(message),
    },
    dkim: dkimOptions(dkimKeyOf(brand)),
  }
}

/** Messages that were stored before subjects had a limit would block the process in nodemailer. */
function requireShort(texts: string[]) {
  if (texts.every(({ length }) => length <= MAX_SUBJECT_LENGTH)) return
  throw new UnusableMail(`a header of the mail is longer than ${MAX_SUBJECT_LENGTH} characters`)
}

export function messageDomainOf({ brand, type }: Pick<OutgoingMail, 'brand' | 'type'>): string {
  const { address } = senderOf(brand, type)
  return address.slice(address.lastIndexOf('@') + 1)
}

/** Other accounts may not send with the platform's address (suppressions.md#envelope-sender). */
function envelopeOf({ brand, recipient, reference }: OutgoingMail) {
  const from = brand.smtp === null ? bounceAddressOf(reference) : null
  return from === null ? undefined : { from, to: [recipient.email] }
}

interface UnsubscribeHeaders {
  'List-Unsubscribe'?: string
  'List-Unsubscribe-Post'?: string
}

function unsubscribeHeaders(message: OutgoingMail): UnsubscribeHeaders {
  const { type, recipient, unsubscribeUrl: url = unsubscribeUrlFor(recipient, type) } = message
  if (url === null) return {}
  return {
    'List-Unsubscribe': `<${url}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
}

function dkimOptions(dkim: DkimKey | null): SigningOptions | undefined {
  if (dkim === null) return undefined
  return {
    domainName: dkim.domain,
    keySelector: dkim.selector,
    privateKey: dkim.key,
    headerFieldNames: SIGNED_HEADERS,
  }
}
