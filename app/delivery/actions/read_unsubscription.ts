import { TypeNotOptional, UnsubscribeLinkInvalid } from '#app/delivery/exceptions'
import {
  canUnsubscribe,
  isUnsubscriptionOf,
  readUnsubscribeToken,
} from '#app/notifications/values/unsubscribe_token'
import NotificationType from '#app/notifications/models/notification_type'
import User from '#app/profiles/models/user'

/** @throws UnsubscribeLinkInvalid, also if the user or the type was deleted; TypeNotOptional */
export async function readUnsubscription(token: string) {
  const unsubscription = readUnsubscribeToken(token)
  if (!unsubscription) throw new UnsubscribeLinkInvalid()
  const [user, type] = await Promise.all([
    User.find(unsubscription.userId),
    NotificationType.query().where('id', unsubscription.typeId).preload('application').first(),
  ])
  if (!user || !type || !isUnsubscriptionOf(unsubscription, user, type)) {
    throw new UnsubscribeLinkInvalid()
  }
  if (!canUnsubscribe(type)) throw new TypeNotOptional()
  return { user, type }
}
