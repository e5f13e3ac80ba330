import { DateTime } from 'luxon'
import db from '@adonisjs/lucid/services/db'
import { toDatabase } from '#core/database/columns'
import { TypeNotOptional, UnsubscribeLinkInvalid } from '#app/delivery/exceptions'
import { readUnsubscribeToken } from '#app/delivery/values/unsubscribe_token'
import NotificationType from '#app/notifications/models/notification_type'
import User from '#app/profiles/models/user'

/** @throws UnsubscribeLinkInvalid, also if the person or the type was deleted */
export async function readUnsubscription(token: string) {
  const unsubscription = readUnsubscribeToken(token)
  if (!unsubscription) throw new UnsubscribeLinkInvalid()
  const [user, type] = await Promise.all([
    User.find(unsubscription.userId),
    NotificationType.query().where('id', unsubscription.typeId).preload('application').first(),
  ])
  if (!user || !type) throw new UnsubscribeLinkInvalid()
  return { user, type }
}

/** Switches off e-mails but not pushes. @throws UnsubscribeLinkInvalid, TypeNotOptional */
export async function unsubscribe(token: string) {
  const { user, type } = await readUnsubscription(token)
  if (!type.userCanDisable || type.system) throw new TypeNotOptional()
  const now = toDatabase(DateTime.utc())
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
