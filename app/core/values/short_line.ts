import { redactSecrets } from '#core/values/redact'

/** More than any server needs for a refusal that quotes what was sent. */
const MAX_READ = 100_000

/**
 * Text from other servers is shown and recorded, so it is kept short, on one line and without
 * secrets. They are replaced first: of one that is cut, the beginning would remain.
 */
export function shortLine(text: string, secrets: string[], maxLength = 300): string {
  const line = oneLine(redactSecrets(text.slice(0, MAX_READ), secrets))
  // Servers wrap lines, also within what they quote.
  return redactSecrets(line, secrets.map(oneLine))
    .slice(0, maxLength)
    .replace(/\p{Cs}$/u, '')
}

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Cs}\p{Bidi_Control}]+/gu, ' ').trim()
}
