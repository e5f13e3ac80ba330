import { decodeHTML } from 'entities'
import type { Placeholder, TemplatePart } from '#app/notifications/rendering/parse_template'
import { PLACEHOLDER, keepsSecrets } from '#app/notifications/rendering/secret_address'
import { mayBeSecret } from '#app/notifications/values/secret_variables'

const BETWEEN_WORDS = /[ \t\n\r\f<>]/
/** Mail programs make links of these: two slashes, `www.`, e-mail addresses, schemes and names of hosts. */
const MAY_BE_ADDRESS =
  /[/\\]{2}|www\.|@|[a-z]:[a-z\d/?+]|[\p{L}\p{N}_\uE000-][.\u3002][\p{L}\p{N}]/iu
/** Where a mail program may end one address and begin another. */
const MAY_END_ADDRESS = /[\s"'`()<>[\]{}|\\]/

/** Text without a blank or a tag in it, and the placeholders in it. */
class Word {
  #text = ''
  readonly #placeholders: Placeholder[] = []
  /** Where in the text a value stands that is not secret. */
  #firstValueAt: number | null = null
  #lastSecretAt = -1

  addText(text: string) {
    this.#text += text
  }

  addValue(placeholder: Placeholder) {
    this.#placeholders.push(placeholder)
    if (mayBeSecret(placeholder.name)) this.#lastSecretAt = this.#text.length
    else this.#firstValueAt ??= this.#text.length
    this.#text += PLACEHOLDER
  }

  /** The first secret that could become part of a foreign address. */
  exposed(): Placeholder | null {
    if (this.#lastSecretAt === -1 || this.#isKept()) return null
    const secret = this.#placeholders.find(({ name }) => mayBeSecret(name)) ?? null
    if (this.#placeholders.length > 1) return secret
    return MAY_BE_ADDRESS.test(readable(this.#text)) ? secret : null
  }

  /** A value before a secret may hold a blank, after which another address begins. */
  #isKept() {
    if (this.#firstValueAt !== null && this.#firstValueAt < this.#lastSecretAt) return false
    const address = readable(this.#text)
      .replace(/^[("'[]+/, '')
      .replace(/(?<![)"'\].,;:!?])[)"'\].,;:!?]+$/, '')
    return !MAY_END_ADDRESS.test(address) && keepsSecrets(address)
  }
}

/** Without character references and characters that are not seen. */
function readable(text: string) {
  return decodeHTML(text)
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
}

/**
 * The secrets that mail programs could take for a part of a foreign address, because neither a blank nor a tag separates
 * them from one, or from a value that may be one. Also tells of secrets inside tags, which the caller judges by itself.
 */
export function secretsInAddresses(parts: readonly TemplatePart[]): Placeholder[] {
  const exposed: Placeholder[] = []
  let word = new Word()
  const endWord = () => {
    const secret = word.exposed()
    if (secret !== null) exposed.push(secret)
    word = new Word()
  }
  for (const part of parts) {
    if (typeof part !== 'string') {
      word.addValue(part)
      continue
    }
    const words = part.split(BETWEEN_WORDS)
    word.addText(words[0])
    if (words.length === 1) continue
    endWord()
    word.addText(words.at(-1)!)
  }
  endWord()
  return exposed
}
