import { domainToUnicode } from 'node:url'

/** Ends where another character would make it a longer address. */
const BEFORE = String.raw`(?<![\p{L}\p{N}._%+-])`
const AFTER = String.raw`(?![\p{L}\p{N}_-]|\.[\p{L}\p{N}])`

/** How texts name an address: as it is or as people write it, and as part of a URL. */
export function addressForms(email: string): string[] {
  const at = email.lastIndexOf('@')
  const written = `${email.slice(0, at)}@${domainToUnicode(email.slice(at + 1))}`
  const composed = [email, written].flatMap((form) => [form, form.normalize('NFD')])
  return [...new Set(composed.flatMap((form) => [form, encodeURIComponent(form)]))]
}

/** Replaces an address in texts, whatever its form and case, but not within a longer address. */
export class AddressReplacement {
  readonly #forms: RegExp
  readonly #replacement: string
  /** What comes before the address in longer ones, such as the `o'` of `o'brien@x.example`. */
  readonly #longer: string[]

  /**
   * @param longerOnes known addresses that end with this one. Almost any character can be part of
   *   an address, and also come before one: `users/ada@x.example`, `'ada@x.example'`.
   */
  constructor(email: string, replacement: string, longerOnes: string[] = []) {
    const forms = addressForms(email).map(escapePattern).join('|')
    this.#forms = new RegExp(`${BEFORE}(?:${forms})${AFTER}`, 'giu')
    this.#replacement = replacement
    this.#longer = longerOnes
      .filter((longer) => longer.length > email.length && longer.endsWith(email))
      .flatMap((longer) => {
        const before = longer.slice(0, -email.length)
        return [before, encodeURIComponent(before).toLowerCase()]
      })
  }

  inText(text: string): string {
    return text.replace(this.#forms, (address: string, offset: number) => {
      const before = text.slice(0, offset).toLowerCase()
      return this.#longer.some((start) => before.endsWith(start)) ? address : this.#replacement
    })
  }

  /** In all texts and keys of a JSON text. */
  inJson(json: string): string {
    const replaced = (value: unknown): unknown => {
      if (typeof value === 'string') return this.inText(value)
      if (Array.isArray(value)) return value.map(replaced)
      if (typeof value !== 'object' || value === null) return value
      const entries = Object.entries(value)
      return Object.fromEntries(entries.map(([key, item]) => [this.inText(key), replaced(item)]))
    }
    return JSON.stringify(replaced(JSON.parse(json)))
  }
}

const escapePattern = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
