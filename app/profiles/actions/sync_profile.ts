import { DateTime } from 'luxon'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import type { Names } from '#app/profiles/values/names'

/** Saves names that the login UI has changed at the provider (profiles.md#profile-sync). */
export function syncProfile(email: string, names: Names, changedAt: DateTime = DateTime.utc()) {
  return ensureUser({ email }, { names, changedAt })
}
