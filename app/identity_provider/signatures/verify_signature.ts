import { createHmac, timingSafeEqual } from 'node:crypto'

/** `invalid` covers malformed signatures; `expired` is a correct one outside the tolerance. */
export type SignatureVerdict = 'valid' | 'invalid' | 'expired'

export interface SignedBody {
  header: string | undefined
  body: Buffer
  keys: string[]
  now?: Date
}

interface Signature {
  signedAt: number
  macs: Buffer[]
}

const TOLERANCE_SECONDS = 300

/** Only the holder of a key learns that a signature expired (zitadel.md#signature-check). */
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

/** True if no key can make the header valid, so that none needs to be read. */
export function isMalformedSignature(header: string | undefined): boolean {
  const signature = parseSignature(header ?? '')
  return signature === null || signature.macs.length === 0
}

/** Null for a malformed header, or one without exactly one time. */
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
