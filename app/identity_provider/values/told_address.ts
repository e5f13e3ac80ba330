import { isPlainlyWritten, normalizeEmail } from '#core/values/email'

/**
 * An address as the provider tells of it, in its canonical form. One that only resembles that form
 * stays as it is written, so that nobody gets the record of the other; null for anything else.
 */
export function toldAddress(text: string): string | null {
  const email = normalizeEmail(text)
  return email === null || isPlainlyWritten(text) ? email : text.trim()
}

/** Whether there can be a record of a told address. */
export const isRecordable = (address: string) => normalizeEmail(address) === address
