import { LRUCache } from 'lru-cache'
import { secrets } from '#core/secrets'
import { type DkimKey, parseDkimKey } from '#app/delivery/mail/parse_dkim_key'
import type { SmtpAccount } from '#app/delivery/mail/smtp_account'
import { UnusableSender } from '#app/delivery/mail/unusable_sender'
import type { OutgoingMail } from '#app/delivery/values/outgoing_message'
import type Brand from '#app/platform/models/brand'
import {
  DKIM_PRIVATE_KEY,
  SMTP_PASSWORD,
  type StoredSmtp,
  tlsOf,
} from '#app/platform/values/brand_mail'
import mailConfig from '#config/mail'

const parsedKeys = new LRUCache<string, DkimKey['key']>({ max: 500 })

/** See delivery.md#mail-account. */
export function smtpAccountOf(brand: Brand) {
  const { smtp } = brand
  if (smtp === null) {
    return { owner: 'platform', fingerprint: '', account: platformAccount }
  }
  return {
    owner: `brand ${brand.id}`,
    fingerprint: JSON.stringify(smtp),
    account: () => decryptAccount(smtp),
  }
}

/** Why mails fail if neither the brand nor the platform has an account. */
export const NO_SERVER = 'no SMTP server is configured'

/** Whose mail account is used. Null if there is none. */
export function smtpOwnerOf({ smtp }: Brand): 'brand' | 'platform' | null {
  if (smtp !== null) return 'brand'
  return mailConfig.smtp === null ? null : 'platform'
}

/** See delivery.md#sender-and-reply-address. */
export function senderOf(brand: Brand, type: OutgoingMail['type']) {
  return {
    address: brand.emailFrom ?? mailConfig.from,
    name: type.emailFromName || brand.emailFromName || mailConfig.fromName || brand.name,
  }
}

/** @throws UnusableSender if the key cannot sign */
export function dkimKeyOf(brand: Brand): DkimKey | null {
  if (brand.dkim === null) return mailConfig.dkim
  const { domain, selector, privateKey } = brand.dkim
  let key = parsedKeys.get(privateKey ?? '')
  if (!key) {
    const pem = privateKey === null ? null : secrets.decrypt(privateKey, DKIM_PRIVATE_KEY)
    key = (pem === null ? null : parseDkimKey(pem)) ?? undefined
    if (!key) throw new UnusableSender('the DKIM key of the brand cannot sign')
    parsedKeys.set(privateKey!, key)
  }
  return { domain, selector, key }
}

function platformAccount(): SmtpAccount {
  if (mailConfig.smtp === null) throw new UnusableSender(NO_SERVER)
  return mailConfig.smtp
}

function decryptAccount(smtp: StoredSmtp): SmtpAccount {
  const account = { ...smtp, tls: tlsOf(smtp) }
  if (smtp.password === null) return account
  const password = secrets.decrypt(smtp.password, SMTP_PASSWORD)
  if (password === null)
    throw new UnusableSender('the SMTP password of the brand cannot be decrypted')
  return { ...account, password }
}
