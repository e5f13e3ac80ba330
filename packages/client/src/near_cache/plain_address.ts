const PRINTABLE_ASCII = /^[!-~]+$/

/**
 * The canonical form of an address, which changes name, or null for an address whose canonical form
 * only the service knows: with characters other than ASCII, or with punycode.
 */
export function plainAddress(email: string): string | null {
  const address = email.trim()
  if (!PRINTABLE_ASCII.test(address)) return null
  const folded = address.toLowerCase()
  return folded.includes('xn--') ? null : folded
}
