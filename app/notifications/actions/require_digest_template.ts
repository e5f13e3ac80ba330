import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { UnknownTemplate } from '#app/notifications/exceptions'
import NotificationTemplate from '#app/notifications/models/notification_template'
import type NotificationType from '#app/notifications/models/notification_type'

/** Locks the template of the digests, so that nobody deletes it. @throws UnknownTemplate */
export async function requireDigestTemplate(
  { id, digest }: Pick<NotificationType, 'id' | 'digest'>,
  trx: TransactionClientContract
) {
  const key = digest?.templateKey ?? null
  if (key === null) return
  const ofType = () => NotificationTemplate.query({ client: trx }).where('notificationTypeId', id)
  if (await ofType().where({ key }).forUpdate().first()) return
  const available = await ofType().select('key').orderBy('id')
  throw new UnknownTemplate(available.map((template) => template.key))
}
