import { DEFAULT_SMTP_TLS, type SmtpTls } from '#app/platform/values/smtp_tls'

export interface StoredSmtp {
  host: string
  port: number
  secure: boolean
  user: string | null
  /** Encrypted with `#core/secrets`. */
  password: string | null
  /** Absent in accounts that were saved before this setting existed. */
  tls?: SmtpTls
}

export const tlsOf = ({ tls }: StoredSmtp): SmtpTls => tls ?? DEFAULT_SMTP_TLS

export interface StoredDkim {
  domain: string
  selector: string
  /** PEM, encrypted with `#core/secrets`. */
  privateKey: string | null
}

/** Purposes for which `#core/secrets` encrypts. */
export const SMTP_PASSWORD = 'brand.smtp.password'
export const DKIM_PRIVATE_KEY = 'brand.dkim.privateKey'
