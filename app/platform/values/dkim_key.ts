import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'

const PROBE = Buffer.from('concierge')

/**
 * Whether mail can be signed with this PEM so that receivers accept it: RSA only, because that is all the mailer signs
 * with, of the sizes every receiver verifies (RFC 8301), and consistent in itself.
 */
export function isUsableDkimKey(pem: string): boolean {
  try {
    const key = createPrivateKey(pem)
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
    if (key.asymmetricKeyType !== 'rsa' || bits < 1_024 || bits > 4_096) return false
    return verify('sha256', PROBE, createPublicKey(key), sign('sha256', PROBE, key))
  } catch {
    return false
  }
}
