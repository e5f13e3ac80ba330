import { button, codeBox, heading, note, paragraph, preheader } from '#resources/auth_emails/parts'

/** The words of one e-mail; HTML, except the subject. */
export interface AuthEmail {
  subject: string
  /** What is shown beside the subject in the list of mails. */
  preview: string
  title: string
  paragraphs: string[]
  /** Label of the button that opens the link. */
  action?: string
  /** Leads to the code. */
  code?: string
  closing: string[]
}

/** The words every e-mail of a language has. */
export interface AuthEmailFrame {
  greeting: string
  /** Leads to the link, for readers whose button does not work. */
  link: string
}

export function bodyOf(email: AuthEmail, { greeting, link }: AuthEmailFrame): string {
  const { action, code } = email
  return [
    preheader(email.preview),
    heading(email.title),
    paragraph(greeting),
    ...email.paragraphs.map(paragraph),
    ...(action ? [button({ href: '{{url}}', label: action })] : []),
    ...(code ? [paragraph(code), codeBox('{{code}}')] : []),
    ...email.closing.map(note),
    ...(action ? [note(`${link}<br>{{url}}`)] : []),
  ].join('\n')
}
