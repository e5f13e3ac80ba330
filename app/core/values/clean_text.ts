/**
 * Whether text can be stored and compared everywhere: no NUL character (PostgreSQL refuses it) and no lone surrogate
 * (not valid Unicode). See conventions.md#text.
 */
export function isCleanText(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed()
}
