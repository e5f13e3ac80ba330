import { DateTime } from 'luxon'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import type { Names } from '#app/profiles/values/names'

/**
 * Takes over names that the login UI has just written at the identity provider (profiles.md#profile-sync); ignored
 * when older than the stored ones.
 *
 * @param changedAt when they changed; the present moment when the source does not say
 */
export function syncProfile(email: string, names: Names, changedAt: DateTime = DateTime.utc()) {
  return ensureUser({ email }, { names, changedAt })
}
