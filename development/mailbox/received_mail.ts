import { type ParsedMail, simpleParser } from 'mailparser'

export interface ReceivedMail {
  id: number
  receivedAt: string
  /** From the SMTP dialogue, not from the headers. */
  envelope: { from: string; to: string[] }
  from: string
  to: string
  subject: string
  html: string | null
  text: string | null
  headers: string
}

export async function readMail(
  id: number,
  source: Buffer,
  envelope: ReceivedMail['envelope']
): Promise<ReceivedMail> {
  const mail = await simpleParser(source)
  return {
    id,
    receivedAt: new Date().toISOString(),
    envelope,
    from: mail.from?.text ?? '',
    to: addressesOf(mail.to),
    subject: mail.subject ?? '',
    html: mail.html || null,
    text: mail.text ?? null,
    headers: mail.headerLines.map(({ line }) => line).join('\n'),
  }
}

function addressesOf(to: ParsedMail['to']) {
  return [to ?? []]
    .flat()
    .map(({ text }) => text)
    .join(', ')
}
