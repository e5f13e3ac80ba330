import { SPACE } from '#core/values/readings'
import { redactSecrets } from '#core/values/redact'

/** More than a refusal needs. Both limits bound the time that looking for secrets takes. */
const MAX_READ = 4_096
const MAX_SECRETS = 200

/**
 * Text from other servers is shown and recorded, so it is kept short, on one line and without
 * secrets. They are replaced before the text is cut, because a part of one could remain. Texts that
 * are too long, or could quote too many secrets, are reduced to the reply code.
 */
export function shortLine(text: string, secrets: readonly string[], maxLength = 300): string {
  return redacted(text, new Set(secrets))
    .slice(0, maxLength)
    .replace(/\p{Cs}$/u, '')
}

function redacted(text: string, secrets: Set<string>): string {
  if (secrets.size === 0) return oneLine(text.slice(0, MAX_READ))
  if (secrets.size > MAX_SECRETS || text.length > MAX_READ) return withoutQuotation(text)
  return oneLine(redactSecrets(text, [...secrets]))
}

function withoutQuotation(text: string): string {
  const [code] = /^\d{3}(?=[\s-])/.exec(text) ?? []
  return code ? `${code} …` : '…'
}

function oneLine(text: string): string {
  return text.replaceAll(SPACE, ' ').trim()
}

/**
 * Collects the secrets of many messages in little memory: it leaves out what makes no difference to
 * `shortLine`, which are further secrets, and what is longer than any text that may quote it.
 */
export class QuotableSecrets {
  readonly #texts = new Set<string>()

  /** Whether there are so many that texts are reduced to the reply code. */
  get areTooMany() {
    return this.#texts.size > MAX_SECRETS
  }

  get all(): string[] {
    return [...this.#texts]
  }

  add(texts: Iterable<string>) {
    for (const text of texts) {
      if (this.areTooMany) return
      // White space makes no difference either.
      const wanted = text.length > MAX_READ ? oneLine(text) : text
      this.#texts.add(wanted.slice(0, MAX_READ + 1))
    }
  }
}
