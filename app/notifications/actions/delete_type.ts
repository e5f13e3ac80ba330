import { type DeleteOptions, deleteRow } from '#core/database/delete_row'
import { unconditional } from '#core/http/etag'
import { transaction } from '#core/database/transaction'
import { GENERIC_TYPE } from '#app/notifications/actions/ensure_generic_type'
import { TypeProtected } from '#app/notifications/exceptions'
import NotificationType from '#app/notifications/models/notification_type'
import { notificationTypeResource } from '#app/notifications/transformers/notification_type_resource'
import { typeTarget } from '#app/notifications/values/audit_targets'

/** @throws ApplicationNotFound, NotificationTypeNotFound, Stale, TypeProtected */
export async function deleteType(
  appCode: string,
  code: string,
  { dryRun, requireFresh = unconditional }: DeleteOptions<NotificationType> = {}
) {
  return transaction(async (trx) => {
    const type = await NotificationType.lock(appCode, code, trx)
    await requireFresh(() => type)
    if (type.system || type.code === GENERIC_TYPE) throw new TypeProtected()
    const application = { id: type.applicationId, code: appCode }
    const deletion = { target: typeTarget(type), before: notificationTypeResource(type) }
    return deleteRow(
      type,
      { action: 'notification_type.deleted', application, ...deletion },
      dryRun
    )
  })
}
