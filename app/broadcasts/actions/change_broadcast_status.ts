import type { AuditAction } from '#core/audit/audit_actions'
import { recordChange } from '#core/audit/record_change'
import { transaction } from '#core/database/transaction'
import Broadcast from '#app/broadcasts/models/broadcast'
import { broadcastTarget } from '#app/broadcasts/values/audit_targets'

/**
 * Changes the status of a broadcast.
 * @throws ApplicationNotFound, BroadcastNotFound, BroadcastEnded
 */
export function changeBroadcastStatus(
  appCode: string,
  id: number,
  action: AuditAction,
  change: (broadcast: Broadcast) => Promise<Broadcast>
): Promise<Broadcast> {
  return transaction(async (trx) => {
    const found = await Broadcast.of(appCode, id, trx)
    // Others may be changing it, and each entry must say what its own request changed.
    const broadcast = await found.lock(trx)
    const before = stateOf(broadcast)
    await change(broadcast)
    await recordChange(trx, {
      action,
      application: { id: broadcast.applicationId!, code: appCode },
      target: broadcastTarget(broadcast),
      before,
      after: stateOf(broadcast),
    })
    return broadcast
  })
}

const stateOf = ({ status, outsideRecipients }: Broadcast) => ({ status, outsideRecipients })
