import type { DkimKey } from '#app/delivery/mail/dkim_key'
import { literalName, literalSubject } from '#app/delivery/mail/literal_text'
import { dkimOf, fromOf } from '#app/delivery/mail/sender'
import { unsubscribeUrl } from '#app/delivery/values/unsubscribe_token'
import type { OutgoingMail } from '#app/delivery/values/outgoing_message'
import { MAX_SUBJECT_LENGTH } from '#app/notifications/rendering/subject'

/** What is signed: the mailer's own choice lacks the header that makes one-click unsubscribing trustworthy (RFC 8058). */
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

/** A mail that must not be handed to the mailer. */
export class UnusableMail extends Error {
  override name = 'UnusableMail'
}

/**
 * The mail of a notification. Addresses are objects, because the mailer reads text as a list of addresses.
 *
 * @throws UnusableSender, UnusableMail
 */
export function composeMail(message: OutgoingMail) {
  const { brand, type, recipient, reference } = message
  const from = fromOf(brand, type)
  const messageId = `<${reference}@${message.messageDomain ?? messageDomainOf(message)}>`
  requireShort([message.subject, from.name, from.address, recipient.calledName, messageId])
  const subject = literalSubject(message.subject)
  return {
    from: { ...from, name: literalName(from.name) },
    to: [{ address: recipient.email, name: literalName(recipient.calledName) }],
    replyTo: brand.replyTo ? [{ address: brand.replyTo, name: '' }] : undefined,
    subject: subject === null ? message.subject : undefined,
    html: message.html,
    text: message.text,
    messageId,
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(subject && { Subject: subject }),
      ...unsubscribeHeaders(message),
    },
    dkim: signing(dkimOf(brand)),
  }
}

/**
 * Also for what was stored before composing messages had this limit: the mailer would block the
 * process, and the next one that takes the mail over.
 */
function requireShort(texts: string[]) {
  if (texts.every(({ length }) => length <= MAX_SUBJECT_LENGTH)) return
  throw new UnusableMail(`a header of the mail is longer than ${MAX_SUBJECT_LENGTH} characters`)
}

/** The domain of a mail's `Message-ID`. */
export function messageDomainOf({ brand, type }: Pick<OutgoingMail, 'brand' | 'type'>): string {
  const { address } = fromOf(brand, type)
  return address.slice(address.lastIndexOf('@') + 1)
}

/** Only where the person may really switch it off. */
function unsubscribeHeaders({ type, recipient }: OutgoingMail): Record<string, string> {
  if (!type.userCanDisable || type.system) return {}
  return {
    'List-Unsubscribe': `<${unsubscribeUrl(recipient.id, type.id)}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
}

function signing(dkim: DkimKey | null) {
  if (dkim === null) return undefined
  return {
    domainName: dkim.domain,
    keySelector: dkim.selector,
    privateKey: dkim.key,
    headerFieldNames: SIGNED_HEADERS,
  }
}
