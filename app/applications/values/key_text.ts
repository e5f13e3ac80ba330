import { hash, randomBytes } from 'node:crypto'

/** Lets people and secret scanners recognise a key. */
const KEY_PREFIX = 'cgk_'
const SECRET_BYTES = 32
const CHECKSUM_LENGTH = 6
const PREFIX_LENGTH = 12
const KEY_PATTERN = /^cgk_[\w-]{49}$/

/** `cgk_`, 256 random bits in base64url, and a checksum. */
export function generateKeyText(): string {
  const body = KEY_PREFIX + randomBytes(SECRET_BYTES).toString('base64url')
  return body + checksum(body)
}

/** Whether the format and the checksum are correct. The key need not exist. */
export function isWellFormedKeyText(text: string): boolean {
  if (!KEY_PATTERN.test(text)) return false
  return checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH)
}

export const keyPrefix = (text: string) => text.slice(0, PREFIX_LENGTH)

export const keyDigest = (text: string) => hash('sha256', text, 'hex')

const checksum = (body: string) => hash('sha256', body, 'base64url').slice(0, CHECKSUM_LENGTH)
