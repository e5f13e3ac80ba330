import { DateTime } from 'luxon'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import type { NameEdits } from '#app/profiles/values/names'

/** Saves names that the login UI has changed at the provider (profiles.md#profile-sync). */
export function syncProfile(email: string, names: NameEdits, changedAt: DateTime = DateTime.utc()) {
  return ensureUser({ email }, { names, changedAt })
}
