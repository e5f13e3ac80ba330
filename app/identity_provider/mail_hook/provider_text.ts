import { decodeHTMLStrict } from 'entities'
import { compile } from 'html-to-text'

const toText = compile({
  wordwrap: false,
  limits: { maxDepth: 50, maxInputLength: 262_144 },
  selectors: [
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
    { selector: 'img', format: 'skip' },
  ],
})

/** A value of the provider, which it escapes for HTML once (zitadel.md#arguments-of-a-message); `undefined` for "not set". */
export function decoded(value: string | undefined | null): string | undefined {
  return value ? decodeHTMLStrict(value) : undefined
}

/**
 * A text of the provider in which its administrators may have put HTML (zitadel.md#texts-of-a-message), as plain text:
 * organisations write these texts, so their HTML goes into nobody's mail.
 */
export function plain(value: string | undefined | null): string | undefined {
  return value ? toText(value).trim() || undefined : undefined
}

/** An absolute http or https address; anything else is none. */
export function webAddress(value: string | undefined | null): URL | undefined {
  const url = value ? URL.parse(value) : null
  return url && /^https?:$/.test(url.protocol) && !url.username && !url.password ? url : undefined
}
