/** Escapes control characters and bidirectional marks, which could rewrite the screen. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => {
    if (character === '\n' || character === '\t') return ' '
    return `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`
  })
}

/** The same for the lines of a text that is written to stdout, if that is a terminal. */
export function printableLines(text: string): string {
  return process.stdout.isTTY ? text.split('\n').map(printable).join('\n') : text
}
