import { createPublicKey } from 'node:crypto'
import { secrets } from '#core/secrets'
import { DKIM_PRIVATE_KEY, type StoredDkim } from '#app/platform/values/brand_mail'

/** A TXT record of the domain name system (RFC 6376). */
export interface DkimRecord {
  name: string
  value: string
}

/** What the domain must publish for the key; null without a key that can be read. */
export function dkimRecord({ domain, selector, privateKey }: StoredDkim): DkimRecord | null {
  const pem = privateKey && secrets.decrypt(privateKey, DKIM_PRIVATE_KEY)
  if (!pem) return null
  try {
    const key = createPublicKey(pem).export({ type: 'spki', format: 'der' }).toString('base64')
    return { name: `${selector}._domainkey.${domain}`, value: `v=DKIM1; k=rsa; p=${key}` }
  } catch {
    // From before keys were checked.
    return null
  }
}
