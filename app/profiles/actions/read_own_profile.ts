import {
  type TokenIdentity,
  differsFromToken,
  ensureCaller,
} from '#app/profiles/actions/ensure_caller'
import { type Profile, findProfile, profileOf } from '#app/profiles/queries/find_profile'

/** Reads the caller's profile, and changes the record only if the token says something else. */
export async function readOwnProfile(identity: TokenIdentity): Promise<Profile> {
  const known = await findProfile(identity.email)
  if (known && !differsFromToken(known, identity)) return known
  return profileOf(await ensureCaller(identity))
}
