import db from '@adonisjs/lucid/services/db'
import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import { mapUniqueViolation } from '#core/database/map_unique_violation'
import { SignInFailed } from '#app/panel/exceptions'
import { hashState } from '#app/panel/values/pending_sign_in'
import panelConfig from '#config/panel'

class StateUsed extends SignInFailed {
  constructor() {
    super({ detail: 'The sign-in has already been completed' })
  }
}

/** Lets a sign-in be completed once, by whichever process. @throws SignInFailed */
export async function spendState(state: string) {
  const expiresAt = DateTime.utc().plus({ minutes: panelConfig.signInMinutes })
  const row = { state_hash: hashState(state), expires_at: toDatabaseTimestamp(expiresAt) }
  await mapUniqueViolation(StateUsed, () => db.table('panel_used_states').insert(row))
}
