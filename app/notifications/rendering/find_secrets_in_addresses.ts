import { decodeHTML } from 'entities'
import type { Placeholder, TemplatePart } from '#app/notifications/rendering/parse_template'
import { VALUE_MARK, keepsSecrets } from '#app/notifications/rendering/secret_address'
import { mayBeSecret } from '#app/notifications/values/secret_variables'

const BETWEEN_WORDS = /[ \t\n\r\f<>]/
// Mail programs turn these into links: two slashes, `www.`, e-mail addresses, schemes, host names.
const MAY_BE_ADDRESS =
  /[/\\]{2}|www\.|@|[a-z]:[a-z\d/?+]|[^\s.][.\u3002][\p{L}\p{M}\p{N}\p{Extended_Pictographic}\uE000]/iu
// Mail programs may end one address here and start another.
const ADDRESS_DELIMITER = /[\s"'`()<>[\]{}|\\]/

/** Text and placeholders without whitespace or tags in between. */
class Word {
  #text = ''
  readonly #placeholders: Placeholder[] = []
  #hasSecret = false
  #hasOtherValue = false

  addText(text: string) {
    this.#text += text
  }

  addValue(placeholder: Placeholder) {
    this.#placeholders.push(placeholder)
    if (mayBeSecret(placeholder.name)) this.#hasSecret = true
    else this.#hasOtherValue = true
    this.#text += VALUE_MARK
  }

  exposedSecret(): Placeholder | null {
    if (!this.#hasSecret || this.#keepsSecrets()) return null
    const secret = this.#placeholders.find(({ name }) => mayBeSecret(name)) ?? null
    if (this.#placeholders.length > 1) return secret
    return MAY_BE_ADDRESS.test(visibleText(this.#text)) ? secret : null
  }

  #keepsSecrets() {
    // It could start another address, or add parameters.
    if (this.#hasOtherValue) return false
    const address = visibleText(this.#text)
      .replace(/^[("'[]+/, '')
      .replace(/(?<![)"'\].,;:!?])[)"'\].,;:!?]+$/, '')
    return !ADDRESS_DELIMITER.test(address) && keepsSecrets(address)
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
