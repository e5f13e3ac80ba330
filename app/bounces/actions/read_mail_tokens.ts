import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { toDatabaseTimestamp } from '#core/database/columns'
import { bounceAddressesOf, bounceTokensIn } from '#app/delivery/mail/signed_bounce_address'
import { notificationReference } from '#app/delivery/values/notification_reference'
import Notification from '#app/notifications/models/notification'
import NotificationType from '#app/notifications/models/notification_type'
import { unsubscribeTokensIn, unsubscribeUrl } from '#app/notifications/values/unsubscribe_token'
import User from '#app/profiles/models/user'

/** Reads the tokens in the links and senders of a notification's mail, its own or a digest. */
export async function readMailTokens(
  notification: Notification,
  client: TransactionClientContract
): Promise<string[]> {
  const { appCode, digestId, email, type: code } = notification
  const digest = digestId === null ? null : await Notification.find(digestId, { client })
  const senders = [notification, digest].flatMap((entry) => (entry ? sendersOf(entry) : []))
  const user = await User.findBy({ email }, { client })
  const type = await NotificationType.query({ client })
    .where({ code })
    .whereHas('application', (application) => void application.where('code', appCode))
    .first()
  const links = user && type ? [unsubscribeUrl(user, type)] : []
  return [...senders.flatMap(bounceTokensIn), ...links.flatMap(unsubscribeTokensIn)]
}

const sendersOf = ({ id, createdAt, email }: Notification) =>
  bounceAddressesOf(notificationReference(id, toDatabaseTimestamp(createdAt), email))
