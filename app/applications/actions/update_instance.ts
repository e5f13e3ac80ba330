import { recordChange } from '#core/audit/record_change'
import { transaction } from '#core/database/transaction'
import { mapUniqueViolation } from '#core/database/map_unique_violation'
import type { InstanceAuthor, InstanceFields } from '#app/applications/actions/create_instance'
import { lockInstance } from '#app/applications/actions/lock_instance'
import { InstanceExists } from '#app/applications/exceptions'
import { instanceResource } from '#app/applications/transformers/instance_resource'
import { instanceTarget } from '#app/applications/values/audit_targets'

/**
 * Changes the given fields. New URLs end an approval unless a super admin sets them. A super admin
 * does not approve by changing a URL, because the other URLs may come from somebody else.
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
      const [urls, before] = [instance.urls, instanceResource(instance)]
      instance.merge(fields)
      if (!isSuperAdmin && !instance.hasUrls(urls)) instance.approved = false
      await instance.save()
      await recordChange(trx, {
        action: 'instance.updated',
        application: { id: instance.applicationId, code: appCode },
        target: instanceTarget(instance),
        before,
        after: instanceResource(instance),
      })
      return instance
    })
  )
}
