import { isPlainlyWritten, normalizeEmail } from '#core/values/email'

/**
 * The canonical form of an address, or null. An address that only resembles its canonical form is
 * kept as written, so that its user does not get the record of the other address.
 */
export function parseProviderAddress(text: string): string | null {
  const email = normalizeEmail(text)
  return email === null || isPlainlyWritten(text) ? email : text.trim()
}

export const canHaveRecord = (address: string) => normalizeEmail(address) === address
