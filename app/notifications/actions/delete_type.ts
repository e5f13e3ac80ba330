import { GENERIC_TYPE } from '#app/notifications/actions/ensure_generic_type'
import { TypeProtected } from '#app/notifications/exceptions'
import NotificationType from '#app/notifications/models/notification_type'

/** @throws ApplicationNotFound, NotificationTypeNotFound, TypeProtected */
export async function deleteType(appCode: string, code: string) {
  const type = await NotificationType.of(appCode, code)
  if (type.system || type.code === GENERIC_TYPE) throw new TypeProtected()
  await type.delete()
}
