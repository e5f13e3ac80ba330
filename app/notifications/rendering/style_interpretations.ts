const ESCAPE = /\\(?:([\da-f]{1,6})(?:\r\n|[ \t\n\r\f])?|(?:\r\n|[\n\r\f])|([^]))/gi
const COMMENT = /\/\*[^]*?(?:\*\/|$)/g
const STRING_OR_COMMENT =
  /("[^"\\\n]*(?:\\[^][^"\\\n]*)*"?|'[^'\\\n]*(?:\\[^][^'\\\n]*)*'?)|\/\*[^]*?(?:\*\/|$)/g

/** Mail programs disagree on escapes and comments, so a check must look at all readings. */
export function styleInterpretations(css: string): string[] {
  const readings = [css]
  if (css.includes('\\')) readings.push(unescapeCss(css))
  if (css.includes('/*')) {
    readings.push(
      unescapeCss(css.replace(COMMENT, '')),
      unescapeCss(css.replace(STRING_OR_COMMENT, (_, text: string | undefined) => text ?? ''))
    )
  }
  return readings
}

function unescapeCss(css: string) {
  return css.replace(ESCAPE, (_, hex?: string, character?: string) =>
    hex === undefined ? (character ?? '') : toCharacter(Number.parseInt(hex, 16))
  )
}

function toCharacter(code: number) {
  return code === 0 || code > 0x10ffff ? '\uFFFD' : String.fromCodePoint(code)
}
