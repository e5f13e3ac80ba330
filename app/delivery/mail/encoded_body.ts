import base64 from 'nodemailer/lib/base64/index.js'
import mimeFunctions from 'nodemailer/lib/mime-funcs/index.js'
import quotedPrintable from 'nodemailer/lib/qp/index.js'

const LINE_LENGTH = 76

export type TransferEncoding = '7bit' | 'quoted-printable' | 'base64'

/** A text as a part of a mail transmits it. */
export function encodedBody(text: string, encodingOf: (text: string) => 'Q' | 'B') {
  const encoding = transferEncodingOf(text, encodingOf)
  return { encoding, body: encoded(text, encoding) }
}

function transferEncodingOf(
  text: string,
  encodingOf: (text: string) => 'Q' | 'B'
): TransferEncoding {
  const isShort = () => !mimeFunctions.hasLongerLines(text, LINE_LENGTH)
  if (mimeFunctions.isPlainText(text) && isShort()) return '7bit'
  return encodingOf(text) === 'Q' ? 'quoted-printable' : 'base64'
}

/** Unchanged for any other encoding. */
export function encoded(text: string, encoding: string | false): string {
  switch (encoding) {
    case 'quoted-printable':
      return quotedPrintable.wrap(quotedPrintableOf(text))
    case 'base64':
      return base64.wrap(base64.encode(text))
    default:
      return text
  }
}

const [TAB, LINE_FEED, RETURN, SPACE, EQUALS, TILDE] = [0x09, 0x0a, 0x0d, 0x20, 0x3d, 0x7e]
const HEX = Buffer.from('0123456789ABCDEF')

/**
 * As nodemailer does, which appends to a text byte by byte. Replacing with an expression takes up
 * to 20 times as long as this if there is much to encode.
 */
function quotedPrintableOf(text: string): string {
  const bytes = Buffer.from(text, 'utf8')
  const written = Buffer.allocUnsafe(3 * bytes.length)
  let length = 0
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]
    if (isKept(byte, bytes[index + 1])) {
      written[length++] = byte
    } else {
      written[length++] = EQUALS
      written[length++] = HEX[byte >> 4]
      written[length++] = HEX[byte & 0xf]
    }
  }
  return written.toString('latin1', 0, length)
}

/** Spaces at the end of a line would be lost. */
function isKept(byte: number, next = LINE_FEED): boolean {
  if (byte === SPACE || byte === TAB) return next !== LINE_FEED && next !== RETURN
  if (byte === LINE_FEED || byte === RETURN) return true
  return byte > SPACE && byte <= TILDE && byte !== EQUALS
}
