const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
}

const SAFE_SCHEME = /^(?:https?|mailto|tel|sms|cid)$/i

const RUNS_IN_OLD_MAIL_PROGRAMS = /expression|-moz-binding/i

/** Safe between tags and inside quoted attributes. */
export function escapeHtml(text: string): string {
  if (/^[\w .,:;/?=#()-]*$/.test(text)) return text
  return withoutControls(text).replace(/[&<>"'`]/g, (character) => ENTITIES[character])
}

/** A value that begins a link: with a scheme that could run something it is left out. */
export function escapeUrl(text: string): string {
  if (/^https?:/.test(text)) return escapeHtml(text)
  const scheme = /^([^/?#:]*):/.exec(text.replace(/[\p{C}\p{Z}]+/gu, ''))?.[1]
  return scheme === undefined || SAFE_SCHEME.test(scheme) ? escapeHtml(text.trim()) : ''
}

/** A value in a style: only what colours, sizes and names are made of, so that it cannot begin another declaration. */
export function escapeCss(text: string): string {
  const harmless = text.replace(/[^\p{L}\p{N} #%.,()_+-]/gu, '')
  return RUNS_IN_OLD_MAIL_PROGRAMS.test(harmless) ? '' : harmless
}

/** Plain text of several lines. */
export function plainText(text: string): string {
  return withoutControls(text.replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n'))
}

/** Plain text of one line, for headers: line breaks and other control characters become blanks. */
export function singleLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
}

function withoutControls(text: string) {
  return text.replace(/[^\P{Cc}\t\n\r]/gu, '')
}
