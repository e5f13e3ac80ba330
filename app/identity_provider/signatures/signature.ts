import { createHmac, timingSafeEqual } from 'node:crypto'

/** `valid`; `invalid`: not ours, or not a signature at all; `expired`: ours, but signed too long ago or ahead. */
export type SignatureVerdict = 'valid' | 'invalid' | 'expired'

export interface SignedBody {
  /** What the signature header says. */
  header: string | undefined
  /** The exact bytes of the body as they were received. */
  body: Buffer
  /** The accepted signing keys, as the provider shows them. */
  keys: string[]
  now?: Date
}

interface Signature {
  /** Unix time in seconds. */
  signedAt: number
  macs: Buffer[]
}

const TOLERANCE_SECONDS = 300

/**
 * Whether a body is signed as the identity provider does it, with any of our keys (zitadel.md#signature-check). Only
 * whoever holds a key learns that a signature has expired.
 */
export function verifySignature({
  header,
  body,
  keys,
  now = new Date(),
}: SignedBody): SignatureVerdict {
  const signature = parseSignature(header ?? '')
  if (signature === null || !isSignedBy(signature, body, keys)) return 'invalid'
  const age = Math.floor(now.getTime() / 1000) - signature.signedAt
  return Math.abs(age) <= TOLERANCE_SECONDS ? 'valid' : 'expired'
}

/** Whether a header cannot be a signature, whatever the key: nobody needs to look for one. */
export function isMalformed(header: string | undefined): boolean {
  const signature = parseSignature(header ?? '')
  return signature === null || signature.macs.length === 0
}

/** Null for a header that is malformed, or says no time, or several. */
function parseSignature(header: string): Signature | null {
  const elements = header.split(',').map((element) => element.split('='))
  if (elements.some((parts) => parts.length !== 2)) return null
  const valuesOf = (name: string) => elements.filter((parts) => parts[0] === name).map(([, v]) => v)
  const times = valuesOf('t')
  if (times.length !== 1 || !/^\d{1,12}$/.test(times[0])) return null
  const macs = valuesOf('v1').filter((value) => /^[\da-f]{64}$/i.test(value))
  return { signedAt: Number(times[0]), macs: macs.map((value) => Buffer.from(value, 'hex')) }
}

function isSignedBy({ signedAt, macs }: Signature, body: Buffer, keys: string[]): boolean {
  return keys.filter(Boolean).some((key) => {
    const expected = createHmac('sha256', key).update(`${signedAt}.`).update(body).digest()
    return macs.some((mac) => timingSafeEqual(mac, expected))
  })
}
