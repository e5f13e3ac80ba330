import { DateTime } from 'luxon'
import { transaction } from '#core/database/transaction'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import { lockRecord } from '#app/profiles/actions/lock_record'
import type { NameEdits } from '#app/profiles/values/names'

/** Saves names that the login UI has changed at the provider (profiles.md#profile-sync). */
export function syncProfile(email: string, names: NameEdits, changedAt: DateTime = DateTime.utc()) {
  return transaction(async (trx) => {
    // Waits for an erasure of the user.
    await lockRecord(email, [], trx)
    return ensureUser({ email }, { names, changedAt }, trx)
  })
}
