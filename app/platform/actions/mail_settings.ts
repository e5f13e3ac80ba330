import { isDeepStrictEqual } from 'node:util'
import { Forbidden } from '#core/exceptions/problems'
import { logSecurityEvent } from '#core/security_events'
import type { SmtpFields } from '#app/platform/actions/brand_secrets'
import { PasswordRequired } from '#app/platform/exceptions'
import type Brand from '#app/platform/models/brand'
import { type StoredDkim, type StoredSmtp, tlsOf } from '#app/platform/values/brand_mail'
import { isWeakerTls } from '#app/platform/values/smtp_tls'

/** The sender and mail account of a brand. Only super admins can change them. */
export interface MailSettings {
  smtp: StoredSmtp | null
  dkim: StoredDkim | null
  emailFrom: string | null
  replyTo: string | null
}

export const EMPTY_MAIL_SETTINGS: MailSettings = {
  smtp: null,
  dkim: null,
  emailFrom: null,
  replyTo: null,
}

export function mailSettingsOf(brand: Brand): MailSettings {
  return {
    smtp: brand.smtp ? { ...brand.smtp, tls: tlsOf(brand.smtp) } : null,
    dkim: brand.dkim ?? null,
    emailFrom: brand.emailFrom ?? null,
    replyTo: brand.replyTo ?? null,
  }
}

/** A secret that is sent again always counts as changed. */
export function changedMailSettings(before: MailSettings, after: MailSettings): string[] {
  const names = ['smtp', 'dkim', 'emailFrom', 'replyTo'] as const
  return names.filter((name) => !isDeepStrictEqual(before[name], after[name]))
}

/** @throws Forbidden */
export function requireMailSettingsAccess(fields: string[], isSuperAdmin: boolean) {
  if (fields.length === 0 || isSuperAdmin) return
  throw new Forbidden({
    detail: 'Only super admins can change the mail settings of a brand',
    details: { fields, needs: { superAdmin: true } },
  })
}

/**
 * Keeps a stored password from being sent to another server, or with weaker protection.
 *
 * @throws PasswordRequired
 */
export function requireSmtpPassword(
  { smtp: before }: MailSettings,
  { smtp: after }: MailSettings,
  given: SmtpFields | null | undefined
) {
  if (!before || !after || !given || given.password !== undefined) return
  const connectionChanged = (['host', 'port', 'secure', 'user'] as const).some(
    (name) => before[name] !== after[name]
  )
  if (connectionChanged || isWeakerTls(tlsOf(after), tlsOf(before))) throw new PasswordRequired()
}

export function logMailSettingsChange(brand: Brand, fields: string[]) {
  if (fields.length === 0) return
  const facts = { brand: brand.slug, fields, host: brand.smtp?.host }
  logSecurityEvent('mail_account_changed', 'The mail settings of a brand changed', facts)
}
