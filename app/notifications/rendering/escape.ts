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

/** For text between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  if (/^[\w .,:;/?=#()-]*$/.test(text)) return text
  return removeControls(text).replace(/[&<>"'`]/g, (character) => ENTITIES[character])
}

/** For a value at the start of a link. A value with an unsafe scheme becomes empty. */
export function escapeUrl(text: string): string {
  return escapeHtml(safeUrl(text))
}

/** The same in plain text. */
export function plainUrl(text: string): string {
  return plainText(safeUrl(text))
}

function safeUrl(text: string): string {
  if (/^https?:/.test(text)) return text
  const scheme = /^([^/?#:]*):/.exec(text.replace(/[\p{C}\p{Z}]+/gu, ''))?.[1]
  return scheme === undefined || SAFE_SCHEME.test(scheme) ? text.trim() : ''
}

/** For a value in a style. Keeps only characters that cannot start another declaration. */
export function escapeCss(text: string): string {
  const harmless = text.replace(/[^\p{L}\p{N} #%.,()_+-]/gu, '')
  return RUNS_IN_OLD_MAIL_PROGRAMS.test(harmless) ? '' : harmless
}

export function plainText(text: string): string {
  return removeControls(text.replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n'))
}

function removeControls(text: string) {
  return text.replace(/[^\P{Cc}\t\n\r]/gu, '')
}
