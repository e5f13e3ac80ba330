import app from '@adonisjs/core/services/app'

/**
 * Protection of an SMTP connection, weakest first. `none`: plain text, unless the account is
 * `secure`. `opportunistic`: TLS if the server offers it. `required`: only over verified TLS.
 */
export const SMTP_TLS = ['none', 'opportunistic', 'required'] as const

export type SmtpTls = (typeof SMTP_TLS)[number]

export const DEFAULT_SMTP_TLS: SmtpTls = app.inProduction ? 'required' : 'opportunistic'

export function isWeakerTls(tls: SmtpTls, than: SmtpTls): boolean {
  return SMTP_TLS.indexOf(tls) < SMTP_TLS.indexOf(than)
}
