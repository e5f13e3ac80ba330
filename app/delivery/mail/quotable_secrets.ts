import type { composeMail } from '#app/delivery/mail/compose_mail'
import { bounceTokensIn } from '#app/delivery/mail/signed_bounce_address'
import type { SmtpAccount } from '#app/delivery/mail/smtp_account'
import { MIN_REDACTED_LENGTH } from '#app/notifications/values/sensitive_variables'
import { unsubscribeTokensIn } from '#app/notifications/values/unsubscribe_token'

type Mail = Pick<ReturnType<typeof composeMail>, 'envelope' | 'headers' | 'html' | 'text'>

/**
 * What a server knows from a login and a mail, and must not be recorded when it quotes them. Who
 * reads the log could otherwise send mails, unsubscribe the recipient or report bounces
 * (delivery.md#texts-of-mail-servers).
 */
export function quotableSecrets(mail: Mail, account: SmtpAccount): string[] {
  const texts = [mail.headers['List-Unsubscribe'] ?? '', mail.text, mail.html]
  return [
    ...loginSecrets(account),
    ...texts.flatMap(unsubscribeTokensIn),
    ...(mail.envelope ? bounceTokensIn(mail.envelope.from) : []),
  ]
}

/** The password, and the line of AUTH PLAIN, which is quoted in base64. */
function loginSecrets({ user, password }: SmtpAccount): string[] {
  if (password === null || password.length < MIN_REDACTED_LENGTH) return []
  return [password, `\0${user ?? ''}\0${password}`]
}
