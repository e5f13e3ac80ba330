import mimeFunctions from 'nodemailer/lib/mime-funcs/index.js'

/** The beginning of an encoded word (RFC 2047): whoever reads the mail would see what it decodes to. */
const ENCODED_WORD = '=?'

/** More characters without a blank than a line of a header may have (RFC 5322: 998 with the name of the header). */
const UNFOLDABLE = /[^ ]{900}/

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
  if (!text.includes(ENCODED_WORD) && !UNFOLDABLE.test(text)) return null
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
