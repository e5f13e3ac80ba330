import { timingSafeEqual } from 'node:crypto'
import { domainToASCII } from 'node:url'
import { secrets } from '#core/secrets'
import { MAX_ID } from '#core/values/identifiers'
import { parseNotificationReference } from '#app/delivery/values/notification_reference'
import mailConfig from '#config/mail'

const PURPOSE = 'delivery.bounce_address'
const DIGEST_LENGTH = 10
const SIGNATURE_LENGTH = 20

/** Lower case, because mail servers may change the case. */
const TOKEN = /^([0-9a-z]{1,7})-([0-9a-f]{10})([0-9a-f]{20})$/

/** The notification that an envelope sender names. */
export interface SignedNotification {
  id: number
  /** The start of the digest in its reference, which also depends on its recipient */
  digest: string
}

/**
 * The envelope sender of a mail, to which reports about it come back
 * (suppressions.md#envelope-sender). Null without `BOUNCE_ADDRESS`, and for a mail that no
 * notification belongs to.
 */
export function bounceAddressOf(reference: string): string | null {
  return bounceAddressesOf(reference)[0] ?? null
}

/** By the current key, then by previous ones. */
export function bounceAddressesOf(reference: string): string[] {
  const { bounceAddress } = mailConfig
  const notification = parseNotificationReference(reference)
  if (bounceAddress === null || notification === null) return []
  const content = `${notification.id.toString(36)}-${notification.digest.slice(0, DIGEST_LENGTH)}`
  return signaturesOf(content).map(
    (signature) => `${bounceAddress.local}+${content}${signature}@${bounceAddress.domain}`
  )
}

/** The token of an envelope sender, and its signature: the rest can be computed from the log. */
export function bounceTokensIn(address: string): string[] {
  const token = address.slice(address.lastIndexOf('+') + 1, address.lastIndexOf('@'))
  const parts = [token, token.slice(-SIGNATURE_LENGTH)]
  return [...parts, ...parts.map((part) => part.toUpperCase())]
}

/** Null unless this service has signed the address, with its key or a previous one. */
export function readBounceAddress(address: string): SignedNotification | null {
  const { bounceAddress } = mailConfig
  if (bounceAddress === null) return null
  const text = withAsciiDomain(address.toLowerCase())
  const [start, end] = [`${bounceAddress.local}+`, `@${bounceAddress.domain}`]
  if (!text.startsWith(start) || !text.endsWith(end)) return null
  const [, id, digest, signature] = TOKEN.exec(text.slice(start.length, -end.length)) ?? []
  if (id === undefined || Number.parseInt(id, 36) > MAX_ID) return null
  if (!signaturesOf(`${id}-${digest}`).some((valid) => isEqual(valid, signature))) return null
  return { id: Number.parseInt(id, 36), digest }
}

/** The library of the listener decodes punycode. */
function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf('@') + 1
  return address.slice(0, at) + domainToASCII(address.slice(at))
}

/** Whether the address was signed for the notification with this reference. */
export function isAddressOf({ digest }: SignedNotification, reference: string): boolean {
  return parseNotificationReference(reference)?.digest.slice(0, DIGEST_LENGTH) === digest
}

function signaturesOf(content: string): string[] {
  return secrets
    .fingerprints(content, PURPOSE)
    .map((one) => Buffer.from(one, 'base64url').toString('hex').slice(0, SIGNATURE_LENGTH))
}

const isEqual = (one: string, other: string) =>
  timingSafeEqual(Buffer.from(one), Buffer.from(other))
