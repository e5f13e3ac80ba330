import { type Range, type Reading, type Readings, SPACE, readingsOf } from '#core/values/readings'

/** Shorter texts match by chance. */
const MIN_LENGTH = 4

/** `includes` takes linear time for a beginning of this length, which most texts do not contain. */
const SHORT = 8

/**
 * Replaces secrets, because servers quote what they refuse: as it is, or encoded for URLs, HTML,
 * JSON or base64, also within longer base64; and all of that as it is written in mails or wrapped
 * in replies, which changes the white space of texts that have some. Case makes no difference,
 * except in base64: lists of addresses quote links in lower case.
 */
export function redactSecrets(text: string, secrets: string[]): string {
  const quotable = [...new Set(secrets)].filter((one) => one !== '' && isQuotable(one, text))
  if (quotable.length === 0) return text
  const readings = readingsOf(text)
  const ranges = quotable.flatMap((secret) => [
    ...[...new Set([secret, asLatin1(secret)])].flatMap((one) => rangesIn(readings, one)),
    ...base64Forms(Buffer.from(secret)).flatMap((form) =>
      readings.base64.flatMap((reading) => rangesOf(form, reading))
    ),
  ])
  return replaceRanges(text, ranges)
}

/** UTF-8 text as it appears when it is decoded as Latin-1. */
const asLatin1 = (text: string) => Buffer.from(text).toString('latin1')

const withoutSpace = (text: string) => text.replaceAll(SPACE, '')

/** Apart from white space, no form is shorter than its secret. */
const isQuotable = (secret: string, text: string) =>
  secret.length <= text.length || withoutSpace(secret).length <= text.length

function rangesIn({ exact, withoutSpace: spaceless }: Readings, secret: string): Range[] {
  const letters = withoutSpace(secret)
  const [wanted, among] =
    letters === secret || letters.length < MIN_LENGTH ? [secret, exact] : [letters, spaceless]
  return among.flatMap(({ text, sources }) =>
    rangesOf(inLowerCase(wanted), { text: inLowerCase(text), sources })
  )
}

/** Of ASCII alone, so that every character keeps its place. */
const inLowerCase = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** In linear time (Knuth, Morris, Pratt): `indexOf` can take the product of both lengths. */
function rangesOf(wanted: string, { text, sources }: Reading): Range[] {
  if (wanted.length > text.length || !text.includes(wanted.slice(0, SHORT))) return []
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

/**
 * The secret alone, with and without padding, and the characters that it determines at each of the
 * three positions.
 */
function base64Forms(secret: Buffer): string[] {
  const parts = [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), secret]).toString('base64')
    const bits = (before + secret.length) * 8
    return encoded.slice(Math.ceil((before * 8) / 6), Math.floor(bits / 6))
  })
  const whole = secret.toString('base64')
  const forms = new Set([whole, whole.replace(/=+$/, ''), ...parts])
  return [...forms].filter((part) => part.length >= MIN_LENGTH)
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
