import type { SmtpTls } from '#app/platform/values/smtp_tls'

export interface SmtpAccount {
  host: string
  port: number
  secure: boolean
  user: string | null
  password: string | null
  tls: SmtpTls
}
