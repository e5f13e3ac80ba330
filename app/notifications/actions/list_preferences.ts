import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import NotificationPreference from '#app/notifications/models/notification_preference'
import type NotificationType from '#app/notifications/models/notification_type'
import { preferenceResource } from '#app/notifications/transformers/preference_resource'
import type User from '#app/profiles/models/user'

export async function listPreferences(
  user: User,
  types: NotificationType[],
  client?: QueryClientContract
) {
  const ids = types.map(({ id }) => id)
  const rows = await NotificationPreference.query({ client })
    .where('userId', user.id)
    .whereIn('notificationTypeId', ids)
  const own = new Map(rows.map((row) => [row.notificationTypeId, row]))
  return types.map((type) => preferenceResource(type, own.get(type.id)))
}
