/** Ends where another character would make it a longer address. */
const BEFORE = String.raw`(?<![\p{L}\p{N}._%+-])`
const AFTER = String.raw`(?![\p{L}\p{N}_-]|\.[\p{L}\p{N}])`

/** How texts name an address: as it is, and as part of a URL. */
export const addressForms = (email: string): string[] => [email, encodeURIComponent(email)]

/** Replaces an address in text, whatever its form and case, but not within a longer address. */
export function replaceAddress(text: string, email: string, replacement: string): string {
  const forms = addressForms(email).map(escapePattern).join('|')
  const address = new RegExp(`${BEFORE}(?:${forms})${AFTER}`, 'giu')
  return text.replace(address, () => replacement)
}

/** The same in all texts and keys of a JSON text. */
export function replaceAddressInJson(json: string, email: string, replacement: string): string {
  const replaced = (value: unknown): unknown => {
    if (typeof value === 'string') return replaceAddress(value, email, replacement)
    if (Array.isArray(value)) return value.map(replaced)
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value)
    return Object.fromEntries(
      entries.map(([key, item]) => [replaceAddress(key, email, replacement), replaced(item)])
    )
  }
  return JSON.stringify(replaced(JSON.parse(json)))
}

const escapePattern = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
