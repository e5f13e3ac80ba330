/** White space, and what is shown as white space. */
export const SPACE = /[\s\p{Cc}\p{Cs}\p{Bidi_Control}]+/gu

/** Shorter texts match by chance. */
const MIN_LENGTH = 4

/**
 * Replaces secrets, because servers quote what they refuse: as it is, or encoded for URLs, HTML,
 * JSON or base64, also within longer base64; and all of that as it is written in mails or wrapped
 * in replies, which changes the white space of texts that have some.
 */
export function redactSecrets(text: string, secrets: string[]): string {
  // No form is shorter than its secret.
  const quotable = [...new Set(secrets)].filter((one) => one !== '' && one.length <= text.length)
  if (quotable.length === 0) return text
  const asWritten = writingsOf(text)
  const exact = distinct(asWritten.flatMap(decodings))
  const spaceless = distinct(exact.map(withoutSpace))
  const base64 = distinct(asWritten.map((one) => withoutSpace(read(one, ENCODED))).map(asBase64))
  const ranges = quotable.flatMap((secret) => [
    ...[...new Set([secret, asLatin1(secret)])].flatMap((one) => rangesIn(exact, spaceless, one)),
    ...base64Forms(Buffer.from(secret)).flatMap((form) =>
      base64.flatMap((reading) => rangesOf(form, reading))
    ),
  ])
  return replaceRanges(text, ranges)
}

type Range = [start: number, end: number]

/** A decoded text, and for each of its units where its source begins and ends. */
interface Reading {
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

/** As UTF-8 looks to those who take each byte for a character. */
const asLatin1 = (text: string) => Buffer.from(text).toString('latin1')

function rangesIn(exact: Reading[], spaceless: Reading[], secret: string): Range[] {
  const letters = secret.replaceAll(SPACE, '')
  return letters === secret || letters.length < MIN_LENGTH
    ? exact.flatMap((reading) => rangesOf(secret, reading))
    : spaceless.flatMap((reading) => rangesOf(letters, reading))
}

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

function read({ text, sources: before }: Reading, encoded: RegExp, decodeForm = decode): Reading {
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

/** In linear time (Knuth, Morris, Pratt): `indexOf` can take the product of both lengths. */
function rangesOf(wanted: string, { text, sources }: Reading): Range[] {
  if (wanted.length > text.length) return []
  const ranges: Range[] = []
  const borders = bordersOf(wanted)
  let matched = 0
  for (let at = 0; at < text.length; at++) {
    while (matched > 0 && text.charCodeAt(at) !== wanted.charCodeAt(matched))
      matched = borders[matched - 1]
    if (text.charCodeAt(at) === wanted.charCodeAt(matched)) matched++
    if (matched < wanted.length) continue
    ranges.push([sources[at - matched + 1][0], sources[at][1]])
    matched = 0
  }
  return ranges
}

/** The longest beginning of the secret that the text ends with, which may be empty. */
export function cutSecret(text: string, secret: string): string {
  const beginning = secret.slice(0, text.length)
  const borders = bordersOf(beginning)
  let matched = 0
  for (let at = text.length - beginning.length; at < text.length; at++) {
    while (matched > 0 && text.charCodeAt(at) !== beginning.charCodeAt(matched))
      matched = borders[matched - 1]
    if (text.charCodeAt(at) === beginning.charCodeAt(matched)) matched++
  }
  return beginning.slice(0, matched)
}

/** For each beginning of a text, the length of the longest shorter one that it ends with. */
function bordersOf(text: string): Uint32Array {
  const borders = new Uint32Array(text.length)
  for (let at = 1, length = 0; at < text.length; at++) {
    while (length > 0 && text.charCodeAt(at) !== text.charCodeAt(length))
      length = borders[length - 1]
    if (text.charCodeAt(at) === text.charCodeAt(length)) length++
    borders[at] = length
  }
  return borders
}

const asBase64 = ({ text, sources }: Reading) => ({
  text: text.replace(/[-_]/g, (sign) => (sign === '-' ? '+' : '/')),
  sources,
})

/** The secret alone, and the characters that it determines at each of the three positions. */
function base64Forms(secret: Buffer): string[] {
  const parts = [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), secret]).toString('base64')
    const bits = (before + secret.length) * 8
    return encoded.slice(Math.ceil((before * 8) / 6), Math.floor(bits / 6))
  })
  return [secret.toString('base64'), ...parts].filter((part) => part.length >= MIN_LENGTH)
}

/** Overlapping ranges, like those of a link and its code, become one. */
function replaceRanges(text: string, ranges: Range[]): string {
  let [rest, position] = ['', 0]
  for (const [start, end] of ranges.sort((one, other) => one[0] - other[0] || other[1] - one[1])) {
    if (start >= position) rest += `${text.slice(position, start)}…`
    position = Math.max(position, end)
  }
  return rest + text.slice(position)
}
