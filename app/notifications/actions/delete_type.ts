import { deletionOf } from '#core/audit/audited_row'
import { type DeleteOptions, deleteRow } from '#core/database/delete_row'
import { unconditional } from '#core/http/etag'
import { transaction } from '#core/database/transaction'
import { GENERIC_TYPE } from '#app/notifications/actions/ensure_generic_type'
import { TypeProtected } from '#app/notifications/exceptions'
import NotificationType from '#app/notifications/models/notification_type'
import { auditedType } from '#app/notifications/transformers/audited_type'

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
    return deleteRow(type, deletionOf(auditedType(type, appCode)), dryRun)
  })
}
