import type { NodeMailerMessage } from '@adonisjs/mail/types'
import MailComposer from 'nodemailer/lib/mail-composer/index.js'
import type MimeNode from 'nodemailer/lib/mime-node/index.js'
import { encoded } from '#app/delivery/mail/encoded_body'
import { signatureOf } from '#app/delivery/mail/sign_mail'
import type { SignableMail } from '#app/delivery/mail/signable_mail'
import { type WrittenMail, writeMail } from '#app/delivery/mail/write_mail'

/**
 * Writes a mail and its signature in one go. nodemailer has the parts for this, but passes each
 * mail through a dozen streams, which takes longer than signing it (`benchmarks/delivery`).
 *
 * @throws UnusableSender
 */
export function renderMail({ dkim, ...mail }: SignableMail) {
  const { header, body: written, envelope } = writeMail(mail) ?? composedMail(mail)
  const body = withNewlines(written)
  const signature = dkim === undefined ? '' : signatureOf(header, body, dkim)
  return { envelope, raw: `${signature}${header}\r\n\r\n${body}` }
}

/** The parts of nodemailer, for every mail that it knows. */
function composedMail(mail: NodeMailerMessage): WrittenMail {
  const root = new MailComposer(mail).compile()
  const header = root.buildHeaders()
  return { header, body: bodyOf(root), envelope: root.getEnvelope() as WrittenMail['envelope'] }
}

function bodyOf(node: MimeNode): string {
  const { boundary, childNodes } = node
  if (!boundary) return encoded((node.content ?? '') as string, node.getTransferEncoding())
  const parts = childNodes.map(
    (child) => `--${boundary}\r\n${child.buildHeaders()}\r\n\r\n${bodyOf(child)}\r\n`
  )
  return `${parts.join('')}--${boundary}--\r\n`
}

/**
 * As SMTP requires them, so that what is signed is what arrives. A bare CR, which nodemailer leaves
 * alone, is a newline to some servers: a dot after it would end the mail there.
 */
function withNewlines(text: string): string {
  const lines = text.replaceAll(/\r(?!\n)|(?<!\r)\n/g, '\r\n')
  return lines.endsWith('\r\n') ? lines : `${lines}\r\n`
}
