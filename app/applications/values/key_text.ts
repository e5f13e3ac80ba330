import { hash, randomBytes } from 'node:crypto'

/** The prefix of application keys, so that scanners and people recognise them. */
const MARK = 'cgk_'
const SECRET_BYTES = 32
const CHECKSUM_LENGTH = 6
const PREFIX_LENGTH = 12
const WRITTEN = /^cgk_[\w-]{49}$/

/** A new key: the prefix, 256 random bits in base64url, and a checksum. */
export function newKeyText(): string {
  const body = MARK + randomBytes(SECRET_BYTES).toString('base64url')
  return body + checksum(body)
}

/** Whether this text has the form of a key. Does not say whether the key exists. */
export function isKeyText(text: string): boolean {
  if (!WRITTEN.test(text)) return false
  return checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH)
}

/** Enough to recognise a key by, far too little to guess it. */
export const prefixOfKey = (text: string) => text.slice(0, PREFIX_LENGTH)

/** Keys are stored and looked up by their digest alone. */
export const digestOfKey = (text: string) => hash('sha256', text, 'hex')

const checksum = (body: string) => hash('sha256', body, 'base64url').slice(0, CHECKSUM_LENGTH)
