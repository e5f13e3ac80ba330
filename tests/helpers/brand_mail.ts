import type { StoredSmtp } from '#app/platform/values/brand_mail'
import { SMTP_PASSWORD } from '#app/platform/values/brand_mail'
import { secrets } from '#core/secrets'

/** An SMTP account on this machine, as stored. */
export function storedSmtp(port: number, fields: Partial<StoredSmtp> = {}): StoredSmtp {
  return { host: '127.0.0.1', port, secure: false, user: null, password: null, ...fields }
}

export function storedLogin(port: number, password: string, fields: Partial<StoredSmtp> = {}) {
  const encrypted = secrets.encrypt(password, SMTP_PASSWORD)
  return storedSmtp(port, { user: 'mailer', password: encrypted, ...fields })
}
