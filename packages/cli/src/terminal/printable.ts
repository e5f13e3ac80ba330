/** Escapes control characters and bidirectional marks, which could rewrite the screen. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => {
    if (character === '\n' || character === '\t') return ' '
    return `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`
  })
}
