/**
 * Text from elsewhere as a terminal may show it: without the control characters by which it could rewrite the screen, and
 * without those that turn the reading direction round.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => {
    if (character === '\n' || character === '\t') return ' '
    return `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`
  })
}
