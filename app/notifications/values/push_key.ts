import { ECDH } from 'node:crypto'

const BASE64URL = /^[\w-]+={0,2}$/

/** Normalizes a browser's `p256dh` key, an uncompressed point on P-256. Null if it is invalid. */
export function normalizePublicKey(text: string): string | null {
  const bytes = decode(text)
  if (bytes?.length !== 65 || bytes[0] !== 4) return null
  try {
    ECDH.convertKey(bytes, 'prime256v1')
  } catch {
    return null
  }
  return bytes.toString('base64url')
}

/** Normalizes a browser's `auth` secret, which has 16 bytes. Null if it is invalid. */
export function normalizeAuthSecret(text: string): string | null {
  const bytes = decode(text)
  return bytes?.length === 16 ? bytes.toString('base64url') : null
}

function decode(text: string): Buffer | null {
  return BASE64URL.test(text) ? Buffer.from(text, 'base64url') : null
}
