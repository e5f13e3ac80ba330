import { DateTime } from 'luxon'
import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { toDatabaseTimestamp } from '#core/database/columns'
import { ApplicationNotFound } from '#app/applications/exceptions'
import ApplicationPreference from '#app/profiles/models/application_preference'

export interface PreferenceKey {
  userId: number
  applicationId: number
}

/** @throws ApplicationNotFound */
export async function ensurePreference(
  key: PreferenceKey,
  client: QueryClientContract = db.connection()
): Promise<ApplicationPreference> {
  await client
    .table('application_preferences')
    .insert(newPreference(key, DateTime.utc()))
    .onConflict(['user_id', 'application_id'])
    .ignore()
  const preference = await ApplicationPreference.findBy({ ...key }, { client })
  // The application was deleted between the two statements.
  if (!preference) throw new ApplicationNotFound()
  return preference
}

export function newPreference({ userId, applicationId }: PreferenceKey, now: DateTime) {
  return {
    user_id: userId,
    application_id: applicationId,
    show_help: true,
    notifications_enabled: true,
    login_count: 0,
    created_at: toDatabaseTimestamp(now),
    updated_at: toDatabaseTimestamp(now),
  }
}
