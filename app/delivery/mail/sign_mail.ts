import { type KeyObject, hash } from 'node:crypto'
import type DKIM from 'nodemailer/lib/dkim/index.js'
import sign from 'nodemailer/lib/dkim/sign.js'
import { UnusableSender } from '#app/delivery/mail/unusable_sender'

export interface SigningOptions {
  domainName: string
  keySelector: string
  privateKey: KeyObject
  /** Names separated by colons */
  headerFieldNames: string
}

/**
 * The DKIM signature of a mail, as a header line.
 *
 * @throws UnusableSender if the key cannot sign, where nodemailer would send the mail unsigned
 */
export function signatureOf(header: string, body: string, options: SigningOptions): string {
  const lines = header.split(/\r\n(?![ \t])/)
  const fields = lines.map((line) => ({
    key: line.slice(0, line.indexOf(':')).toLowerCase(),
    line,
  }))
  // Its types know keys as text only.
  const known = options as unknown as DKIM.SingleKeyOptions
  const signature = sign(fields, 'sha256', hash('sha256', relaxed(body), 'base64'), known)
  if (!signature) throw new UnusableSender('the DKIM key cannot sign')
  return `${signature}\r\n`
}

/** The body in the form that signatures are made of (RFC 6376, 3.4.4). */
function relaxed(body: string): string {
  const lines = body.replaceAll(/ [ \t]+|\t[ \t]*/g, ' ').replaceAll(' \r\n', '\r\n')
  let end = lines.length
  while (lines.endsWith('\r\n\r\n', end)) end -= 2
  const kept = lines.slice(0, end)
  // Nothing but empty lines is an empty body.
  return kept === '\r\n' ? '' : kept
}
