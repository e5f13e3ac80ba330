import { domainToASCII, domainToUnicode } from 'node:url'

export const MAX_EMAIL_LENGTH = 254
const MAX_LOCAL_PART_LENGTH = 64

const CANONICAL =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/

/** The last label starts with a letter: with a number, the domain would be an IPv4 address. */
const ASCII_DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/

const PRINTABLE_ASCII = /^[ -~]*$/

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}]/u
/** ASCII that is invalid in domains, but that `domainToASCII` would decode or cut off. */
const NOT_IN_DOMAIN = /[\0-,/:-`{-\x7f]/
const NOT_IN_LOCAL_PART = /[\s"(),:;<>@[\\\]]/u

/** The canonical form of an e-mail address (conventions.md#e-mail-addresses), or null. */
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
  // `trim` removes a byte order mark, which is an invisible character.
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
