import { DateTime } from 'luxon'
import { transaction } from '#core/database/transaction'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import { lockRecord } from '#app/profiles/actions/lock_record'
import { recordUserChange, userState } from '#app/profiles/actions/record_user_change'
import type { NameEdits } from '#app/profiles/values/names'

const NO_NAMES = { firstName: null, lastName: null, displayName: null }

/** Saves names that the login UI has changed at the provider (profiles.md#profile-sync). */
export function syncProfile(email: string, names: NameEdits, changedAt: DateTime = DateTime.utc()) {
  return transaction(async (trx) => {
    // Waits for an erasure of the user.
    const known = await lockRecord(email, [], trx)
    const user = await ensureUser({ email }, { names, changedAt }, trx)
    const before = known ? userState(known) : { ...userState(user), ...NO_NAMES }
    await recordUserChange(trx, before, user)
    return user
  })
}
