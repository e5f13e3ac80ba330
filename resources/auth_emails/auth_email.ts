import { button, codeBox, heading, note, paragraph, preheader } from '#resources/auth_emails/parts'

/** The texts of one e-mail. All are HTML, except the subject. */
export interface AuthEmail {
  subject: string
  /** Shown beside the subject in the list of mails */
  preview: string
  title: string
  paragraphs: string[]
  /** Label of the button */
  action?: string
  /** Introduces the code */
  code?: string
  closing: string[]
}

export interface AuthEmailFrame {
  greeting: string
  /** Introduces the plain link */
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
