import { LRUCache } from 'lru-cache'
import { secrets } from '#core/secrets'
import { type DkimKey, parseDkimKey } from '#app/delivery/mail/dkim_key'
import type { SmtpAccount } from '#app/delivery/mail/smtp_connection'
import type { OutgoingMail } from '#app/delivery/values/outgoing_message'
import type Brand from '#app/platform/models/brand'
import {
  DKIM_PRIVATE_KEY,
  SMTP_PASSWORD,
  type StoredSmtp,
  tlsOf,
} from '#app/platform/values/brand_mail'
import mailConfig from '#config/mail'

/** A brand's or the platform's mail settings that no mail can be sent with. */
export class UnusableSender extends Error {
  override name = 'UnusableSender'
}

/** Keys are parsed once: by what is stored, so that a changed key is a new one. */
const keys = new LRUCache<string, DkimKey['key']>({ max: 500 })

/** Whose SMTP account takes a brand's mail: its own first, else the platform's. */
export function accountOf(brand: Brand) {
  const { smtp } = brand
  if (smtp === null) {
    return { owner: 'platform', fingerprint: '', account: platformAccount }
  }
  return {
    owner: `brand ${brand.id}`,
    fingerprint: JSON.stringify(smtp),
    account: () => decrypted(smtp),
  }
}

/** Whom a brand's mail is from: the type's own sender name first, then the brand's, then the platform's. */
export function fromOf(brand: Brand, type: OutgoingMail['type']) {
  return {
    address: brand.emailFrom ?? mailConfig.from,
    name: type.emailFromName || brand.emailFromName || mailConfig.fromName || brand.name,
  }
}

/** @throws UnusableSender when there is a key that cannot sign */
export function dkimOf(brand: Brand): DkimKey | null {
  if (brand.dkim === null) return mailConfig.dkim
  const { domain, selector, privateKey } = brand.dkim
  let key = keys.get(privateKey ?? '')
  if (!key) {
    const pem = privateKey === null ? null : secrets.decrypt(privateKey, DKIM_PRIVATE_KEY)
    key = (pem === null ? null : parseDkimKey(pem)) ?? undefined
    if (!key) throw new UnusableSender('the DKIM key of the brand cannot sign')
    keys.set(privateKey!, key)
  }
  return { domain, selector, key }
}

function platformAccount(): SmtpAccount {
  if (mailConfig.smtp === null) throw new UnusableSender('no SMTP server is configured')
  return mailConfig.smtp
}

function decrypted(smtp: StoredSmtp): SmtpAccount {
  const account = { ...smtp, tls: tlsOf(smtp) }
  if (smtp.password === null) return account
  const password = secrets.decrypt(smtp.password, SMTP_PASSWORD)
  if (password === null) throw new UnusableSender('the SMTP password of the brand cannot be read')
  return { ...account, password }
}
