import { updateOf } from '#core/audit/audited_row'
import { recordChange } from '#core/audit/record_change'
import { transaction } from '#core/database/transaction'
import { logSecurityEvent } from '#core/security_events'
import { lockInstance } from '#app/applications/actions/lock_instance'
import { InstanceChanged } from '#app/applications/exceptions'
import type Instance from '#app/applications/models/instance'
import type { InstanceUrls } from '#app/applications/models/instance'
import { auditedInstance } from '#app/applications/transformers/audited_rows'

/**
 * @param reviewed the URLs that the approver has seen
 * @throws ApplicationNotFound, InstanceNotFound, InstanceChanged if the URLs have changed since
 */
export async function approveInstance(
  appCode: string,
  id: number,
  reviewed: Partial<InstanceUrls>
): Promise<Instance> {
  const instance = await transaction(async (trx) => {
    const found = await lockInstance(appCode, id, trx)
    if (!found.hasUrls({ ...found.urls, ...reviewed })) throw new InstanceChanged()
    const before = auditedInstance(found, appCode)
    await found.merge({ approved: true }).save()
    const update = updateOf(before, auditedInstance(found, appCode))
    await recordChange(trx, { ...update, action: 'instance.approved' })
    return found
  })
  logSecurityEvent('instance_approved', 'The URLs of an instance were approved', {
    application: appCode,
    instance: id,
    ...instance.urls,
  })
  return instance
}
