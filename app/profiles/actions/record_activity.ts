import { DateTime } from 'luxon'
import db from '@adonisjs/lucid/services/db'
import { ApplicationNotFound } from '#app/applications/exceptions'
import type Application from '#app/applications/models/application'
import { toDatabaseTimestamp } from '#core/database/columns'
import { ensurePreference } from '#app/profiles/actions/ensure_preference'
import { mapForeignKeyViolation } from '#app/profiles/actions/map_foreign_key_violation'
import ApplicationPreference from '#app/profiles/models/application_preference'
import type User from '#app/profiles/models/user'

/** The minimum time between two writes per user and application (profiles.md#activity). */
export const ACTIVITY_INTERVAL = { minutes: 5 }

export interface RecordedActivity {
  /** False when the previous activity is too recent. */
  recorded: boolean
  lastActivityAt: DateTime
}

/** @throws ApplicationNotFound */
export async function recordActivity(
  user: User,
  application: Application,
  now = DateTime.utc()
): Promise<RecordedActivity> {
  const key = { userId: user.id, applicationId: application.id }
  const preference = await mapForeignKeyViolation(() => ensurePreference(key))
  const moved = await db
    .from('application_preferences')
    .where('id', preference.id)
    .where((row) =>
      row
        .whereNull('last_activity_at')
        .orWhere('last_activity_at', '<=', toDatabaseTimestamp(now.minus(ACTIVITY_INTERVAL)))
    )
    .update({ last_activity_at: toDatabaseTimestamp(now) })
  const current = await ApplicationPreference.find(preference.id)
  if (!current) throw new ApplicationNotFound()
  return { recorded: Number(moved) > 0, lastActivityAt: current.lastActivityAt! }
}
