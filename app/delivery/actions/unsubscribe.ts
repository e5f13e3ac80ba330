import { DateTime } from 'luxon'
import db from '@adonisjs/lucid/services/db'
import { toDatabaseTimestamp } from '#core/database/columns'
import { readUnsubscription } from '#app/delivery/actions/read_unsubscription'

/** Switches off mails but not push messages. @throws UnsubscribeLinkInvalid, TypeNotOptional */
export async function unsubscribe(token: string) {
  const { user, type } = await readUnsubscription(token)
  const now = toDatabaseTimestamp(DateTime.utc())
  await db
    .table('notification_preferences')
    .insert({
      user_id: user.id,
      notification_type_id: type.id,
      email: false,
      push: type.defaultPush,
      created_at: now,
      updated_at: now,
    })
    .onConflict(['user_id', 'notification_type_id'])
    .merge(['email', 'updated_at'])
  return { user, type }
}
