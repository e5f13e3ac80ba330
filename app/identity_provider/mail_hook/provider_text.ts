import { createRequire } from 'node:module'
import { decodeHTMLStrict } from 'entities'
import type * as HtmlToText from 'html-to-text'
import { lazily } from '#core/values/lazily'

/** Converting HTML can take time that grows with the square of its length. */
const MAX_HTML_CHARACTERS = 32_768

const require = createRequire(import.meta.url)
/** The library is loaded on first use, for memory that other processes do not need. */
const htmlToText = lazily(() => {
  const { compile } = require('html-to-text') as typeof HtmlToText
  return compile({
    wordwrap: false,
    limits: { maxDepth: 50 },
    selectors: [
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
      { selector: 'img', format: 'skip' },
    ],
  })
})

/** Undoes the provider's HTML escaping (zitadel.md#arguments-of-a-message). */
export function decodeEntities(value: string | undefined | null): string | undefined {
  return value ? decodeHTMLStrict(value) : undefined
}

/**
 * Organisations write these texts, so their HTML must not reach a mail
 * (zitadel.md#texts-of-a-message).
 */
export function htmlToPlainText(value: string | undefined | null): string | undefined {
  return value ? htmlToText()(value.slice(0, MAX_HTML_CHARACTERS)).trim() || undefined : undefined
}

export function parseWebAddress(value: string | undefined | null): URL | undefined {
  const url = value ? URL.parse(value) : null
  return url && /^https?:$/.test(url.protocol) && !url.username && !url.password ? url : undefined
}
