/** White space, and what is shown as white space. */
export const SPACE = /[\s\p{Cc}\p{Cs}\p{Bidi_Control}]+/gu

export type Range = [start: number, end: number]

/** A decoded text, and for each of its units where its source begins and ends. */
export interface Reading {
  text: string
  sources: Range[]
}

/** The UTF-8 bytes of a character, in hexadecimal. */
function bytesAfter(sign: string) {
  const next = `${sign}[89ab][\\da-f]`
  const one = `${sign}[0-7][\\da-f]`
  return `${one}|${sign}[cd][\\da-f]${next}|${sign}e[\\da-f](?:${next}){2}|${sign}f[0-7](?:${next}){3}`
}

const CHARACTER = [
  bytesAfter('%'),
  '&#\\d{1,7};|&#x[\\da-f]{1,6};|&(?:amp|lt|gt|quot|apos);',
  '\\\\u[\\da-f]{4}|\\\\["\\\\/bfnrt]',
].join('|')
const ENCODED = new RegExp(CHARACTER, 'gi')
const ENCODED_IN_FORM = new RegExp(`${CHARACTER}|\\+`, 'gi')

const WORDS = '=\\?utf-8\\?b\\?[\\w+/=]*\\?=|=\\?utf-8\\?q\\?|\\?=|(?<=\\?=)\\s+(?==\\?)'
/** With what a server writes before the next line of a reply. */
const LINE_BREAK = '\\r?\\n(?:\\d{3}[ -](?:\\d\\.\\d{1,3}\\.\\d{1,3} )?)?'
const REPLY = new RegExp(LINE_BREAK, 'g')
const BODY_LINES = new RegExp(`=?${LINE_BREAK}|=[ \\t]`, 'g')
const HEADER_LINES = new RegExp(`${WORDS}|${LINE_BREAK}`, 'gi')
const BODY = new RegExp(bytesAfter('='), 'gi')
const HEADER = new RegExp(`${bytesAfter('=')}|_`, 'gi')

const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
}

function asQuoted(text: string): Reading {
  return { text, sources: Array.from({ length: text.length }, (_, at) => [at, at + 1]) }
}

export interface Readings {
  exact: Reading[]
  withoutSpace: Reading[]
  /** Without white space, and with the characters of base64 that URLs do not have */
  base64: Reading[]
}

/**
 * What a text of another server may stand for: decoded from URLs, HTML and JSON, after the lines of
 * a reply or a mail were joined and decoded.
 */
export function readingsOf(text: string): Readings {
  const asWritten = writingsOf(text)
  const exact = distinct(asWritten.flatMap(decodings))
  return {
    exact,
    withoutSpace: distinct(exact.map(withoutSpace)),
    base64: distinct(asWritten.map((one) => withoutSpace(read(one, ENCODED))).map(asBase64)),
  }
}

/** The text as it is, and as it was before it became the lines of a reply or a mail. */
function writingsOf(text: string): Reading[] {
  const quoted = asQuoted(text)
  const header = read(quoted, HEADER_LINES)
  return distinct([
    quoted,
    read(quoted, REPLY),
    read(read(quoted, BODY_LINES), BODY),
    header,
    read(header, HEADER),
  ])
}

const withoutSpace = (reading: Reading) => read(reading, SPACE, () => '')

const decodings = (reading: Reading) => [
  reading,
  read(reading, ENCODED),
  read(reading, ENCODED_IN_FORM),
]

function distinct(readings: Reading[]): Reading[] {
  return readings.filter(
    (one, index) => readings.findIndex(({ text }) => text === one.text) === index
  )
}

function read(reading: Reading, encoded: RegExp, decodeForm = decode): Reading {
  const { text, sources: before } = reading
  // Most replies have nothing to decode.
  if (text.search(encoded) === -1) return reading
  const sources: Range[] = []
  let [decoded, position] = ['', 0]
  const add = (part: string, start: number, end: number) => {
    decoded += part
    const source: Range = [before[start][0], before[end - 1][1]]
    for (let unit = 0; unit < part.length; unit++) sources.push(source)
  }
  const addPlain = (end: number) => {
    for (; position < end; position++) add(text[position], position, position + 1)
  }
  for (const match of text.matchAll(encoded)) {
    addPlain(match.index)
    position = match.index + match[0].length
    add(decodeForm(match[0]), match.index, position)
  }
  addPlain(text.length)
  return { text: decoded, sources }
}

function decode(form: string): string {
  if (form === '+' || form === '_') return ' '
  const [, word] = /^=\?.*\?b\?(.*)\?=$/i.exec(form) ?? []
  if (word !== undefined) return Buffer.from(word, 'base64').toString()
  try {
    if (/^=[\da-f]/i.test(form)) return decodeURIComponent(form.replaceAll('=', '%'))
    if (/^[=?\s]/.test(form)) return ''
    if (form.startsWith('%')) return decodeURIComponent(form)
    if (form.startsWith('\\')) return JSON.parse(`"${form.replace('\\U', '\\u')}"`)
  } catch {
    return form
  }
  const entity = ENTITIES[form.toLowerCase()]
  if (entity) return entity
  const digits = form.slice(2, -1)
  const codePoint = /^x/i.test(digits) ? Number(`0${digits.toLowerCase()}`) : Number(digits)
  return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : form
}

const asBase64 = ({ text, sources }: Reading) => ({
  text: text.replace(/[-_]/g, (sign) => (sign === '-' ? '+' : '/')),
  sources,
})
