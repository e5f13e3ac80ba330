import { secrets } from '#core/secrets'
import { InvalidDkimKey } from '#app/platform/exceptions'
import {
  DKIM_PRIVATE_KEY,
  SMTP_PASSWORD,
  type StoredDkim,
  type StoredSmtp,
} from '#app/platform/values/brand_mail'
import { DEFAULT_SMTP_TLS, type SmtpTls } from '#app/platform/values/smtp_tls'
import { isUsableDkimKey } from '#app/platform/values/dkim_key'

export interface SmtpFields {
  host: string
  port?: number
  secure?: boolean
  user?: string | null
  /** If absent, the stored password stays; null removes it. */
  password?: string | null
  tls?: SmtpTls
}

export interface DkimFields {
  domain: string
  selector: string
  /** PEM. If absent, the stored key stays; null removes it. */
  privateKey?: string | null
}

export function mergeSmtp(before: StoredSmtp | null, fields: SmtpFields | null): StoredSmtp | null {
  if (fields === null) return null
  const { password, ...given } = fields
  const port = given.secure ? 465 : 587
  const defaults = { port, secure: false, user: null, tls: DEFAULT_SMTP_TLS }
  return {
    ...defaults,
    ...before,
    ...given,
    password: encryptOrKeep(before?.password, password, SMTP_PASSWORD),
  }
}

export function mergeDkim(before: StoredDkim | null, fields: DkimFields | null): StoredDkim | null {
  if (fields === null) return null
  const { privateKey, ...given } = fields
  return { ...given, privateKey: encryptOrKeep(before?.privateKey, privateKey, DKIM_PRIVATE_KEY) }
}

/** @throws InvalidDkimKey */
export function requireUsableDkimKey(fields: DkimFields | null | undefined) {
  if (fields?.privateKey && !isUsableDkimKey(fields.privateKey)) throw new InvalidDkimKey()
}

function encryptOrKeep(
  before: string | null | undefined,
  given: string | null | undefined,
  use: string
) {
  if (given === undefined) return before ?? null
  return given === null ? null : secrets.encrypt(given, use)
}
