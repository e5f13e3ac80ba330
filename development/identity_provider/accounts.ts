import { createHash } from 'node:crypto'
import { normalizeEmail } from '#core/values/email'

export interface DevelopmentAccount {
  /** 18 digits, the `sub` of its tokens; the same in every run. */
  userId: string
  email: string
  givenName: string
  familyName: string
  displayName: string
  /** What the account is for, as the login page says it. */
  description: string
}

/** Every account signs in with it, made-up ones included. */
export const DEVELOPMENT_PASSWORD = 'concierge'

/** The one organisation all accounts belong to. */
export const DEVELOPMENT_ORGANISATION_ID = '770000000000000001'

const USER_ID = /^77\d{16}$/
const USER_ID_DIGITS = 16

/** The accounts the login page offers. */
export const DEVELOPMENT_ACCOUNTS: readonly DevelopmentAccount[] = [
  readyAccount('ada@acme.example', 'Ada', 'Lovelace', 'Super admin'),
  readyAccount('grace@acme.example', 'Grace', 'Hopper', 'Application admin'),
  readyAccount('alan@acme.example', 'Alan', 'Turing', 'Plain user'),
]

/**
 * The account of an e-mail address: a ready one, or a plain one with names made from the part before the `@`.
 *
 * @throws TypeError when the text is no e-mail address
 */
export function accountFor(text: string): DevelopmentAccount {
  const email = normalizeEmail(text)
  if (email === null) throw new TypeError(`"${text}" is not an e-mail address`)
  return DEVELOPMENT_ACCOUNTS.find((account) => account.email === email) ?? plainAccount(email)
}

/** Whether an id has the form of this provider's user ids. */
export function isUserId(text: string): boolean {
  return USER_ID.test(text)
}

function readyAccount(email: string, givenName: string, familyName: string, description: string) {
  const displayName = `${givenName} ${familyName}`
  return { userId: userIdOf(email), email, givenName, familyName, displayName, description }
}

function plainAccount(email: string): DevelopmentAccount {
  const words = email.slice(0, email.lastIndexOf('@')).split(/[^\p{L}\p{N}]+/u)
  const [givenName = 'Somebody', ...others] = words.filter(Boolean).map(capitalise)
  return readyAccount(email, givenName, others.join(' ') || 'User', 'Plain user')
}

function capitalise(word: string) {
  const [first = '', ...rest] = word
  return first.toUpperCase() + rest.join('')
}

function userIdOf(email: string) {
  const number = createHash('sha256').update(email).digest().readBigUInt64BE()
  const digits = String(number % 10n ** BigInt(USER_ID_DIGITS))
  return `77${digits.padStart(USER_ID_DIGITS, '0')}`
}
