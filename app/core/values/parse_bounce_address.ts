import { normalizeEmail } from '#core/values/email'

/** Of 64 octets (RFC 5321), the token and its `+` take 39. */
export const MAX_BOUNCE_NAME_LENGTH = 25

/** Null for an address that has no room for a token. */
export function parseBounceAddress(text: string): { local: string; domain: string } | null {
  const [local, domain] = normalizeEmail(text)?.split('@') ?? []
  return domain === undefined || Buffer.byteLength(local) > MAX_BOUNCE_NAME_LENGTH
    ? null
    : { local, domain }
}
