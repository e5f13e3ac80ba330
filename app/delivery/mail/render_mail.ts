import type { NodeMailerMessage } from '@adonisjs/mail/types'
import base64 from 'nodemailer/lib/base64/index.js'
import MailComposer from 'nodemailer/lib/mail-composer/index.js'
import type MimeNode from 'nodemailer/lib/mime-node/index.js'
import quotedPrintable from 'nodemailer/lib/qp/index.js'
import { type SigningOptions, signatureOf } from '#app/delivery/mail/sign_mail'

export type SignableMail = NodeMailerMessage & { dkim?: SigningOptions }

/**
 * Writes a mail and its signature in one go. nodemailer has the parts for this, but passes each
 * mail through a dozen streams, which takes longer than signing it (`benchmarks/delivery`).
 *
 * @throws UnusableSender
 */
export function renderMail({ dkim, ...mail }: SignableMail) {
  const root = new MailComposer(mail).compile()
  const header = root.buildHeaders()
  const body = withNewlines(bodyOf(root))
  const signature = dkim === undefined ? '' : signatureOf(header, body, dkim)
  const raw = `${signature}${header}\r\n\r\n${body}`
  return { envelope: root.getEnvelope(), messageId: root.messageId(), raw }
}

function bodyOf(node: MimeNode): string {
  const { boundary, childNodes } = node
  if (!boundary) return contentOf(node)
  const parts = childNodes.map(
    (child) => `--${boundary}\r\n${child.buildHeaders()}\r\n\r\n${bodyOf(child)}\r\n`
  )
  return `${parts.join('')}--${boundary}--\r\n`
}

function contentOf(node: MimeNode): string {
  const text = (node.content ?? '') as string
  switch (node.getTransferEncoding()) {
    case 'quoted-printable':
      return quotedPrintable.wrap(quotedPrintable.encode(text))
    case 'base64':
      return base64.wrap(base64.encode(text))
    default:
      return text
  }
}

/**
 * As SMTP requires them, so that what is signed is what arrives. A bare CR, which nodemailer leaves
 * alone, is a newline to some servers: a dot after it would end the mail there.
 */
function withNewlines(text: string): string {
  const lines = text.replaceAll(/\r\n?|\n/g, '\r\n')
  return lines.endsWith('\r\n') ? lines : `${lines}\r\n`
}
