import { DEFAULT_SMTP_TLS, type SmtpTls } from '#app/platform/values/smtp_tls'

/** A brand's own SMTP account as it is stored. */
export interface StoredSmtp {
  host: string
  port: number
  secure: boolean
  user: string | null
  /** Encrypted (`#core/secrets`) for `SMTP_PASSWORD`. */
  password: string | null
  /** Absent in accounts saved before this setting existed, which use the default. */
  tls?: SmtpTls
}

/** How the connection to a stored account is protected. */
export const tlsOf = ({ tls }: StoredSmtp): SmtpTls => tls ?? DEFAULT_SMTP_TLS

/** A brand's own DKIM key as it is stored. */
export interface StoredDkim {
  domain: string
  selector: string
  /** PEM, encrypted (`#core/secrets`) for `DKIM_PRIVATE_KEY`. */
  privateKey: string | null
}

/** Purposes under which a brand's secrets are encrypted. */
export const SMTP_PASSWORD = 'brand.smtp.password'
export const DKIM_PRIVATE_KEY = 'brand.dkim.privateKey'
