import mimeFunctions from 'nodemailer/lib/mime-funcs/index.js'

// The start of an encoded word (RFC 2047), which mail programs decode.
const ENCODED_WORD = '=?'

// Words of this length do not fit a header line, which may have 998 characters (RFC 5322).
const UNFOLDABLE_LENGTH = 900

const WORD_LENGTH = 52

/** An encoded header, which nodemailer does not change. */
export interface PreparedHeader {
  prepared: true
  value: string
}

/** Encodes a subject that nodemailer would send unsafely. Null for all others. */
export function literalSubject(text: string): PreparedHeader | null {
  const isFoldable = text.split(' ').every(({ length }) => length < UNFOLDABLE_LENGTH)
  if (!text.includes(ENCODED_WORD) && isFoldable) return null
  const words = mimeFunctions.encodeWord(text, 'B', WORD_LENGTH)
  return { prepared: true, value: words.replaceAll('?= =?', '?=\r\n =?') }
}

/**
 * nodemailer quotes ASCII names, but many mail programs decode encoded words in quotes. A trailing
 * tab, which is not shown, makes it encode the whole name.
 */
export function literalName(name: string): string {
  return name.includes(ENCODED_WORD) ? `${name}\t` : name
}
