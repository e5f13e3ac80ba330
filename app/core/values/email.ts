import { domainToASCII, domainToUnicode } from 'node:url'

/** Longest accepted address in characters (decisions 1.4). */
export const MAX_EMAIL_LENGTH = 254
const MAX_LOCAL_PART_LENGTH = 64

const CANONICAL =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/

/** The last label begins with a letter: a number there would make the domain an IPv4 address. */
const ASCII_DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/

const PRINTABLE_ASCII = /^[ -~]*$/

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}]/u
/** ASCII that no domain holds. The conversion to punycode would decode or cut it off, as in the host of a URL. */
const NOT_IN_DOMAIN = /[\0-,/:-`{-\x7f]/
const NOT_IN_LOCAL_PART = /[\s"(),:;<>@[\\\]]/u

/**
 * The canonical form of an e-mail address, under which one person is one user: trimmed, Unicode NFKC, lower case, the
 * domain in punycode (decisions 1.4). Dots and `+tags` are kept. Null for anything that is not an address.
 */
export function normalizeEmail(input: string): string | null {
  if (input.length <= MAX_EMAIL_LENGTH && CANONICAL.test(input) && !localPartTooLong(input)) {
    return input.includes('xn--') ? normalizeUnicode(input) : input
  }
  if (input.length > 4 * MAX_EMAIL_LENGTH) return null
  return normalizeUnicode(input)
}

/**
 * Whether an address is written in the characters of its canonical form, apart from white space
 * around it, case, composition and punycode. Otherwise it only resembles that address, as with
 * full-width letters, and at a mail server it may be another mailbox.
 */
export function isPlainlyWritten(input: string): boolean {
  const text = input.trim()
  if (PRINTABLE_ASCII.test(text)) return true
  const email = normalizeEmail(text)
  if (email === null || [...text].some((character) => character.normalize('NFKC') !== character)) {
    return false
  }
  const written = text
    .slice(text.lastIndexOf('@') + 1)
    .normalize('NFC')
    .toLowerCase()
    .split('.')
  const labels = email.slice(email.lastIndexOf('@') + 1).split('.')
  return (
    written.length === labels.length &&
    labels.every((label, nth) => [label, domainToUnicode(label)].includes(written[nth]))
  )
}

function localPartTooLong(email: string) {
  return email.indexOf('@') > MAX_LOCAL_PART_LENGTH
}

function normalizeUnicode(input: string): string | null {
  const text = input.trim()
  // Trimming takes a byte order mark for white space; it is a format character.
  if (INVISIBLE.test(text) || input.includes('\uFEFF')) return null
  const folded = text.normalize('NFKC').toLowerCase().normalize('NFKC')
  const at = folded.lastIndexOf('@')
  const local = folded.slice(0, at)
  const domain = toPunycode(folded.slice(at + 1))
  if (at < 1 || local.length > MAX_LOCAL_PART_LENGTH) return null
  if (INVISIBLE.test(local) || NOT_IN_LOCAL_PART.test(local)) return null
  if (local.startsWith('.') || local.endsWith('.') || local.includes('..')) return null
  if (!ASCII_DOMAIN.test(domain)) return null
  const email = `${local}@${domain}`
  return email.length > MAX_EMAIL_LENGTH ? null : email
}

function toPunycode(domain: string) {
  return NOT_IN_DOMAIN.test(domain) ? '' : domainToASCII(domain)
}
