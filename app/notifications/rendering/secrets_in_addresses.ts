import { decodeHTML } from 'entities'
import { appUrl } from '#config/app'
import identityProvider from '#config/identity_provider'
import type { Placeholder, TemplatePart } from '#app/notifications/rendering/parse_template'
import { mayBeSecret } from '#app/notifications/values/secret_variables'

const BETWEEN_WORDS = /[ \t\n\r\f<>]/
// Stands for a value; no address contains this character.
const VALUE_MARK = '\uE000'
// Mail programs turn these into links: two slashes, `www.`, e-mail addresses, schemes, host names.
const MAY_BE_ADDRESS =
  /[/\\]{2}|www\.|@|[a-z]:[a-z\d/?+]|[\p{L}\p{N}_\uE000-][.\u3002][\p{L}\p{N}]/iu
// Mail programs may end one address here and start another.
const ADDRESS_DELIMITER = /[\s"'`()<>[\]{}|\\]/

const trustedOrigins = new Set(
  [appUrl, identityProvider.issuer, identityProvider.publicUrl].map((url) => new URL(url).origin)
)

export function isTrustedAddress(address: string): boolean {
  const url = URL.parse(address)
  return url !== null && trustedOrigins.has(url.origin)
}

/** Text and placeholders without whitespace or tags in between. */
class Word {
  #text = ''
  readonly #placeholders: Placeholder[] = []
  #firstValueAt: number | null = null
  #lastSecretAt = -1

  addText(text: string) {
    this.#text += text
  }

  addValue(placeholder: Placeholder) {
    this.#placeholders.push(placeholder)
    if (mayBeSecret(placeholder.name)) this.#lastSecretAt = this.#text.length
    else this.#firstValueAt ??= this.#text.length
    this.#text += VALUE_MARK
  }

  exposedSecret(): Placeholder | null {
    if (this.#lastSecretAt === -1 || this.#isTrustedAddress()) return null
    const secret = this.#placeholders.find(({ name }) => mayBeSecret(name)) ?? null
    if (this.#placeholders.length > 1) return secret
    return MAY_BE_ADDRESS.test(visibleText(this.#text)) ? secret : null
  }

  #isTrustedAddress() {
    // A value before the secret may contain whitespace, which starts another address.
    if (this.#firstValueAt !== null && this.#firstValueAt < this.#lastSecretAt) return false
    const address = visibleText(this.#text)
      .replace(/^[("'[]+/, '')
      .replace(/(?<![)"'\].,;:!?])[)"'\].,;:!?]+$/, '')
      .replaceAll(VALUE_MARK, 'x')
    return !ADDRESS_DELIMITER.test(address) && isTrustedAddress(address)
  }
}

function visibleText(text: string) {
  return decodeHTML(text)
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
}

/** Finds secrets that mail programs could make part of a link to an untrusted address. */
export function findSecretsInAddresses(parts: readonly TemplatePart[]): Placeholder[] {
  const exposed: Placeholder[] = []
  let word = new Word()
  const endWord = () => {
    const secret = word.exposedSecret()
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
