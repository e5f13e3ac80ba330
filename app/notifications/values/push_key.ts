import { ECDH } from 'node:crypto'

const BASE64URL = /^[\w-]+={0,2}$/

/** The canonical form of a browser's public key (`p256dh`): a point on P-256, uncompressed. Null when it is none. */
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

/** The canonical form of a browser's authentication secret (`auth`): 16 bytes. Null when it is none. */
export function normalizeAuthSecret(text: string): string | null {
  const bytes = decode(text)
  return bytes?.length === 16 ? bytes.toString('base64url') : null
}

function decode(text: string): Buffer | null {
  return BASE64URL.test(text) ? Buffer.from(text, 'base64url') : null
}
