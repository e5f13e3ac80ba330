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

const TO_ENCODE = /[^\t\n\r\x20-<>-~]|[\t ](?=[\r\n]|$)/g

/** As nodemailer does, which takes about ten times as long because it reads byte by byte. */
function quotedPrintableOf(text: string): string {
  const bytes = Buffer.from(text, 'utf8').toString('latin1')
  return bytes.replace(TO_ENCODE, (byte) => {
    const code = byte.charCodeAt(0).toString(16).toUpperCase()
    return `=${code.padStart(2, '0')}`
  })
}
