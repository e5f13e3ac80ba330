const ESCAPE = /\\(?:([\da-f]{1,6})(?:\r\n|[ \t\n\r\f])?|(?:\r\n|[\n\r\f])|([^]))/gi
const COMMENT = /\/\*[^]*?(?:\*\/|$)/g
const STRING_OR_COMMENT =
  /("[^"\\\n]*(?:\\[^][^"\\\n]*)*"?|'[^'\\\n]*(?:\\[^][^'\\\n]*)*'?)|\/\*[^]*?(?:\*\/|$)/g

/**
 * What readers may make of a style sheet or style attribute: as it is, with its escapes resolved, and without its
 * comments. Readers disagree on what is a comment, so whoever looks for something forbidden looks in all of them.
 */
export function styleReadings(css: string): string[] {
  const readings = [css]
  if (css.includes('\\')) readings.push(unescaped(css))
  if (css.includes('/*')) {
    readings.push(
      unescaped(css.replace(COMMENT, '')),
      unescaped(css.replace(STRING_OR_COMMENT, (_, text: string | undefined) => text ?? ''))
    )
  }
  return readings
}

function unescaped(css: string) {
  return css.replace(ESCAPE, (_, hex?: string, character?: string) =>
    hex === undefined ? (character ?? '') : characterOf(Number.parseInt(hex, 16))
  )
}

function characterOf(code: number) {
  return code === 0 || code > 0x10ffff ? '\uFFFD' : String.fromCodePoint(code)
}
