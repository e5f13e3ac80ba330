import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'

const PROBE = Buffer.from('concierge')

/**
 * Whether the PEM is a consistent RSA key that receivers accept. The mailer signs only with RSA,
 * and RFC 8301 defines the key sizes that every receiver verifies.
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
