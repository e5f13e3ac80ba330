import { updateOf } from '#core/audit/audited_row'
import { recordChange } from '#core/audit/record_change'
import { transaction } from '#core/database/transaction'
import { mapUniqueViolation } from '#core/database/map_unique_violation'
import type { InstanceAuthor, InstanceFields } from '#app/applications/actions/create_instance'
import { lockInstance } from '#app/applications/actions/lock_instance'
import { InstanceExists } from '#app/applications/exceptions'
import { auditedInstance } from '#app/applications/transformers/audited_rows'

/**
 * Changes the given fields. New URLs end an approval unless a super admin sets them. A super admin
 * does not approve by changing a URL, because the other URLs may come from someone else.
 *
 * @throws ApplicationNotFound, InstanceNotFound, InstanceExists
 */
export async function updateInstance(
  appCode: string,
  id: number,
  fields: Partial<InstanceFields>,
  { isSuperAdmin }: InstanceAuthor
) {
  return mapUniqueViolation(InstanceExists, () =>
    transaction(async (trx) => {
      const instance = await lockInstance(appCode, id, trx)
      const [urls, before] = [instance.urls, auditedInstance(instance, appCode)]
      instance.merge(fields)
      if (!isSuperAdmin && !instance.hasUrls(urls)) instance.approved = false
      await instance.save()
      await recordChange(trx, updateOf(before, auditedInstance(instance, appCode)))
      return instance
    })
  )
}
