import { Failure } from '../errors.ts'
import { EXIT } from '../exit_codes.ts'
import { refreshTokens } from '../sign_in/tokens.ts'
import { credential } from './settings.ts'
import type { Profile } from './profile.ts'
import { changeProfiles, readProfiles } from './profile_file.ts'

/** Tokens are refreshed this long before they expire. */
const MARGIN_MS = 60_000

/** Refreshes in progress. Concurrent callers share them: a refresh token works only once. */
const renewals = new Map<string, Promise<string>>()

/**
 * Updates `profile` when the token is refreshed.
 *
 * @throws Failure when the token has expired and cannot be refreshed
 */
export async function freshToken(name: string, profile: Profile): Promise<string> {
  const { token = '', expiresAt = Infinity } = profile
  if (Date.now() < expiresAt - MARGIN_MS) return credential('the profile', token)!
  const renewal = renewals.get(name) ?? renew(name, profile).finally(() => renewals.delete(name))
  renewals.set(name, renewal)
  return renewal
}

async function renew(name: string, profile: Profile): Promise<string> {
  const { token = '', expiresAt = Infinity, refreshToken, tokenEndpoint, clientId } = profile
  if (refreshToken && tokenEndpoint && clientId) {
    const renewed = await refreshTokens(tokenEndpoint, clientId, refreshToken).catch(() => null)
    if (renewed) {
      changeProfiles(({ all }) => all.set(name, Object.assign(profile, renewed)))
      return renewed.token
    }
    // Another command may have refreshed the token at the same time.
    const now = readProfiles().all.get(name)
    if (now?.token && (now.expiresAt ?? 0) > Date.now()) return Object.assign(profile, now).token!
  }
  if (Date.now() < expiresAt) return token
  throw new Failure('You are no longer signed in', EXIT.refused, 'Sign in: concierge login')
}
