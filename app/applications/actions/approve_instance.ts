import { recordChange } from '#core/audit/record_change'
import { transaction } from '#core/database/transaction'
import { logSecurityEvent } from '#core/security_events'
import { lockInstance } from '#app/applications/actions/lock_instance'
import { InstanceChanged } from '#app/applications/exceptions'
import type Instance from '#app/applications/models/instance'
import type { InstanceUrls } from '#app/applications/models/instance'
import { instanceResource } from '#app/applications/transformers/instance_resource'
import { instanceTarget } from '#app/applications/values/audit_targets'

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
    const before = instanceResource(found)
    await found.merge({ approved: true }).save()
    await recordChange(trx, {
      action: 'instance.approved',
      application: { id: found.applicationId, code: appCode },
      target: instanceTarget(found),
      before,
      after: instanceResource(found),
    })
    return found
  })
  logSecurityEvent('instance_approved', 'The URLs of an instance were approved', {
    application: appCode,
    instance: id,
    ...instance.urls,
  })
  return instance
}
