import { usageFailure } from '../errors.ts'
import { serviceUrl } from './service_url.ts'

export interface Profile {
  url: string
  token?: string
  /** Milliseconds since the epoch. */
  expiresAt?: number
  refreshToken?: string
  tokenEndpoint?: string
  clientId?: string
  internalKey?: string
  checkKey?: string
}

const NAME = /^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/i
const TEXTS = [
  'token',
  'refreshToken',
  'tokenEndpoint',
  'clientId',
  'internalKey',
  'checkKey',
] as const

/** @throws Failure */
export function profileName(name: string): string {
  if (NAME.test(name)) return name
  throw usageFailure(
    'The name of a profile is made of letters, digits, dots, dashes and underscores'
  )
}

/**
 * Validates a profile, which people may have edited. Messages never contain values: they may be
 * secrets.
 *
 * @throws Failure
 */
export function readProfile(name: string, given: unknown): Profile {
  if (!isObject(given)) throw broken(name, 'it is no object')
  if (typeof given.url !== 'string') throw broken(name, 'it has no url')
  const profile: Profile = { url: serviceUrl(given.url, `The url of profile ${name}`) }
  for (const key of TEXTS) {
    const value = given[key]
    if (value === undefined) continue
    if (typeof value !== 'string') throw broken(name, `${key} is no text`)
    profile[key] = value
  }
  if (given.expiresAt !== undefined) {
    if (!Number.isSafeInteger(given.expiresAt)) throw broken(name, 'expiresAt is no time')
    profile.expiresAt = given.expiresAt as number
  }
  return profile
}

export const isObject = (given: unknown): given is Record<string, unknown> =>
  typeof given === 'object' && given !== null && !Array.isArray(given)

function broken(name: string, why: string) {
  return usageFailure(`Profile ${name} cannot be used: ${why}`, 'Mend it with: concierge login')
}
