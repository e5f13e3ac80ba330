import mimeFunctions from 'nodemailer/lib/mime-funcs/index.js'

/** The beginning of an encoded word (RFC 2047): whoever reads the mail would see what it decodes to. */
const ENCODED_WORD = '=?'

/** Characters without a blank that no longer fit a line of a header (RFC 5322: 998 with its name). */
const UNFOLDABLE = 900

/** Length at which the mailer itself cuts its encoded words. */
const WORD_LENGTH = 52

/** A header in the form that goes out, for the mailer to leave alone. */
export interface PreparedHeader {
  prepared: true
  value: string
}

/**
 * The subject for text that the mailer would send as it is, for readers to decode or in a line that no server takes; null
 * for any other, which the mailer writes well by itself.
 */
export function literalSubject(text: string): PreparedHeader | null {
  const isFoldable = text.split(' ').every(({ length }) => length < UNFOLDABLE)
  if (!text.includes(ENCODED_WORD) && isFoldable) return null
  const words = mimeFunctions.encodeWord(text, 'B', WORD_LENGTH)
  return { prepared: true, value: words.replaceAll('?= =?', '?=\r\n =?') }
}

/**
 * A display name that readers show as it is written. The mailer puts a name of ASCII characters into quotes, where many
 * readers decode encoded words all the same; a tab at the end, which nobody shows, makes it encode the whole name.
 */
export function literalName(name: string): string {
  return name.includes(ENCODED_WORD) ? `${name}\t` : name
}
