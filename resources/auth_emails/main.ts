import * as cs from '#resources/auth_emails/cs'
import * as en from '#resources/auth_emails/en'
import { bodyOf } from '#resources/auth_emails/auth_email'

const LANGUAGES = { cs, en }

export type AuthEmailLanguage = keyof typeof LANGUAGES

export const AUTH_EMAIL_LANGUAGES = Object.keys(LANGUAGES) as AuthEmailLanguage[]

/** The templates of an e-mail of the identity provider. */
export function authEmailTexts(locale: AuthEmailLanguage, key: string) {
  const { emails, frame } = LANGUAGES[locale]
  const email = emails[key]
  return { subjectTemplate: email.subject, bodyTemplate: bodyOf(email, frame) }
}
