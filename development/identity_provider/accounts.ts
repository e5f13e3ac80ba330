import { createHash } from 'node:crypto'
import { normalizeEmail } from '#core/values/email'

export interface DevelopmentAccount {
  /** 18 digits, derived from the address, so the same in every run. */
  userId: string
  email: string
  givenName: string
  familyName: string
  displayName: string
  description: string
  isActive: boolean
}

/** The password of every account, including new ones. */
export const DEVELOPMENT_PASSWORD = 'concierge'

/** The organisation of every account. */
export const DEVELOPMENT_ORGANISATION = { id: '770000000000000001', name: 'Acme' }

const USER_ID_DIGITS = 16

export const DEVELOPMENT_ACCOUNTS: readonly DevelopmentAccount[] = [
  createAccount('ada@acme.example', 'Ada', 'Lovelace', 'Super admin'),
  createAccount('grace@acme.example', 'Grace', 'Hopper', 'Application admin'),
  createAccount('alan@acme.example', 'Alan', 'Turing', 'Plain user'),
]

/**
 * Any address has an account; unless it is a ready-made one, its names come from the address.
 * @throws TypeError if the text is not an e-mail address
 */
export function accountFor(text: string): DevelopmentAccount {
  const email = normalizeEmail(text)
  if (email === null) throw new TypeError(`"${text}" is not an e-mail address`)
  return DEVELOPMENT_ACCOUNTS.find((account) => account.email === email) ?? plainAccount(email)
}

function createAccount(email: string, givenName: string, familyName: string, description: string) {
  const displayName = `${givenName} ${familyName}`
  const names = { givenName, familyName, displayName }
  return { userId: userIdOf(email), email, ...names, description, isActive: true }
}

function plainAccount(email: string): DevelopmentAccount {
  const words = email.slice(0, email.lastIndexOf('@')).split(/[^\p{L}\p{N}]+/u)
  const [givenName = 'Someone', ...others] = words.filter(Boolean).map(capitalise)
  return createAccount(email, givenName, others.join(' ') || 'User', 'Plain user')
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
