import app from '@adonisjs/core/services/app'

/**
 * How a connection to an SMTP server is protected, the weakest first. `required`: nothing is sent
 * before a verified TLS connection exists. `opportunistic`: TLS where the server offers it. `none`:
 * plain text, unless the account is `secure`.
 */
export const SMTP_TLS = ['none', 'opportunistic', 'required'] as const

export type SmtpTls = (typeof SMTP_TLS)[number]

/** For accounts without the setting. */
export const DEFAULT_SMTP_TLS: SmtpTls = app.inProduction ? 'required' : 'opportunistic'

export function isWeaker(tls: SmtpTls, than: SmtpTls): boolean {
  return SMTP_TLS.indexOf(tls) < SMTP_TLS.indexOf(than)
}
