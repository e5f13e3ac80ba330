import { transaction } from '#core/database/transaction'
import { logSecurityEvent } from '#core/security_events'
import { lockInstance } from '#app/applications/actions/save_instance'
import { InstanceChanged } from '#app/applications/exceptions'
import type Instance from '#app/applications/models/instance'
import type { InstanceUrls } from '#app/applications/models/instance'

/**
 * Approves the URLs of an instance: from now on they are used at the identity provider and for
 * CORS.
 *
 * @param seen the URLs that the approver has reviewed, if given
 * @throws ApplicationNotFound, InstanceNotFound, InstanceChanged when the URLs are not those
 *   reviewed
 */
export async function approveInstance(
  appCode: string,
  id: number,
  seen: Partial<InstanceUrls>
): Promise<Instance> {
  const instance = await transaction(async (trx) => {
    const found = await lockInstance(appCode, id, trx)
    if (!found.hasUrls({ ...found.urls, ...seen })) throw new InstanceChanged()
    return found.merge({ approved: true }).save()
  })
  logSecurityEvent('instance_approved', 'The URLs of an instance were approved', {
    application: appCode,
    instance: id,
    ...instance.urls,
  })
  return instance
}
