import { Failure } from '../errors.ts'
import { EXIT } from '../exit_codes.ts'
import { refreshTokens } from '../sign_in/tokens.ts'
import { readCredential } from './settings.ts'
import type { Profile } from './profile.ts'
import { changeProfiles, readProfiles } from './profile_file.ts'

/** Tokens are refreshed this long before they expire. */
const MARGIN_MS = 60_000

/** Refreshes in progress. Concurrent callers share them: a refresh token works only once. */
const refreshes = new Map<string, Promise<string>>()

/**
 * Updates `profile` when the token is refreshed.
 *
 * @throws Failure when the token has expired and cannot be refreshed
 */
export async function freshToken(name: string, profile: Profile): Promise<string> {
  const { token = '', expiresAt = Infinity } = profile
  if (Date.now() < expiresAt - MARGIN_MS) return readCredential('the profile', token)!
  const refresh =
    refreshes.get(name) ?? refreshProfile(name, profile).finally(() => refreshes.delete(name))
  refreshes.set(name, refresh)
  return refresh
}

async function refreshProfile(name: string, profile: Profile): Promise<string> {
  const { token = '', expiresAt = Infinity, refreshToken, tokenEndpoint, clientId } = profile
  if (refreshToken && tokenEndpoint && clientId) {
    const refreshed = await refreshTokens(tokenEndpoint, clientId, refreshToken).catch(() => null)
    if (refreshed) {
      changeProfiles(({ all }) => all.set(name, Object.assign(profile, refreshed)))
      return refreshed.token
    }
    // Another command may have refreshed the token at the same time.
    const now = readProfiles().all.get(name)
    if (now?.token && (now.expiresAt ?? 0) > Date.now()) return Object.assign(profile, now).token!
  }
  if (Date.now() < expiresAt) return token
  throw new Failure('Your session has expired', EXIT.refused, 'Sign in: concierge login')
}
