import { type RequireFresh, unconditional } from '#core/http/etag'
import { recordChange } from '#core/audit/record_change'
import { transaction } from '#core/database/transaction'
import NotificationType from '#app/notifications/models/notification_type'
import NotificationTypeSample from '#app/notifications/models/notification_type_sample'
import { samplesState } from '#app/notifications/transformers/type_sample_resource'
import { typeTarget } from '#app/notifications/values/audit_targets'

export interface Sample {
  name: string
  data: Record<string, unknown>
}

/** @throws ApplicationNotFound, NotificationTypeNotFound, Stale */
export async function replaceTypeSamples(
  appCode: string,
  code: string,
  samples: Sample[],
  requireFresh: RequireFresh<NotificationTypeSample[]> = unconditional
) {
  return transaction(async (trx) => {
    const type = await NotificationType.lock(appCode, code, trx)
    const former = await NotificationTypeSample.ofType(type, trx)
    await requireFresh(() => former)
    await NotificationTypeSample.query({ client: trx })
      .where('notificationTypeId', type.id)
      .delete()
    const rows = samples.map(({ name, data }) => ({ notificationTypeId: type.id, name, data }))
    const created = await NotificationTypeSample.createMany(rows, { client: trx })
    await recordChange(trx, {
      action: 'notification_type.samples_replaced',
      application: { id: type.applicationId, code: appCode },
      target: typeTarget(type),
      before: samplesState(former),
      after: samplesState(created),
    })
    return created
  })
}
