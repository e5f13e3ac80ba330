import { usageFailure } from '../errors.ts'
import { parseServiceUrl } from './service_url.ts'

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
export function parseProfileName(name: string): string {
  if (NAME.test(name)) return name
  throw usageFailure('Profile names may contain letters, digits, dots, dashes and underscores')
}

/**
 * Validates a profile, which people may have edited. Messages never contain values: they may be
 * secrets.
 *
 * @throws Failure
 */
export function parseProfile(name: string, given: unknown): Profile {
  if (!isObject(given)) throw invalidProfile(name, 'it is not an object')
  if (typeof given.url !== 'string') throw invalidProfile(name, 'it has no url')
  const profile: Profile = { url: parseServiceUrl(given.url, `The url of profile ${name}`) }
  for (const key of TEXTS) {
    const value = given[key]
    if (value === undefined) continue
    if (typeof value !== 'string') throw invalidProfile(name, `${key} is not a string`)
    profile[key] = value
  }
  if (given.expiresAt !== undefined) {
    if (!Number.isSafeInteger(given.expiresAt))
      throw invalidProfile(name, 'expiresAt is not an integer')
    profile.expiresAt = given.expiresAt as number
  }
  return profile
}

export const isObject = (given: unknown): given is Record<string, unknown> =>
  typeof given === 'object' && given !== null && !Array.isArray(given)

function invalidProfile(name: string, reason: string) {
  return usageFailure(`Profile ${name} is invalid: ${reason}`, 'Sign in again: concierge login')
}
