/**
 * No NUL characters, which PostgreSQL cannot store, and no lone surrogates (conventions.md#text).
 */
export function isCleanText(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed()
}
