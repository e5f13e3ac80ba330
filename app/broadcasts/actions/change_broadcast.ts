import { recordChange } from '#core/audit/record_change'
import { wakeBackgroundWork } from '#core/background/background_worker'
import { deleteInParts } from '#core/database/in_parts'
import { transaction } from '#core/database/transaction'
import { type RequireFresh, unconditional } from '#core/http/etag'
import { Conflict } from '#core/exceptions/problems'
import { checkBroadcastRequest } from '#app/broadcasts/actions/check_broadcast_request'
import Broadcast from '#app/broadcasts/models/broadcast'
import { addListedRecipients } from '#app/broadcasts/queries/audience_sources'
import { broadcastState } from '#app/broadcasts/transformers/broadcast_state'
import type { Audience } from '#app/broadcasts/values/audience'
import { broadcastTarget } from '#app/broadcasts/values/audit_targets'
import type { BroadcastAuthor, BroadcastChanges } from '#app/broadcasts/values/broadcast_request'

const ATTEMPTS = 3

/**
 * Changes a broadcast that has not started (broadcasts.md#changing-a-scheduled-broadcast).
 * @throws BroadcastNotFound, BroadcastNotScheduled, Stale, Conflict if others keep changing it, and
 *   what `checkBroadcastRequest` throws
 */
export async function changeBroadcast(
  appCode: string,
  id: number,
  changes: BroadcastChanges,
  author: BroadcastAuthor,
  requireFresh: RequireFresh<Broadcast> = unconditional
): Promise<Broadcast> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const stored = await Broadcast.of(appCode, id)
    await requireFresh(() => stored)
    stored.requireScheduled()
    const columns = await checkChanges(appCode, stored, changes, author)
    const changed = await write(stored, columns, changes, requireFresh)
    if (changed === null) continue
    wakeBackgroundWork()
    return changed
  }
  throw new Conflict({ detail: 'The broadcast is being changed by other requests' })
}

/** Checks the whole broadcast, because whoever changes a part is responsible for all of it. */
async function checkChanges(
  appCode: string,
  stored: Broadcast,
  changes: BroadcastChanges,
  author: BroadcastAuthor
) {
  const { type = stored.type, data = stored.data, scheduledAt } = changes
  const keptTemplate = changes.type === undefined ? stored.templateKey : null
  const { template = keptTemplate, locale = stored.locale } = changes
  const { ratePerSecond = stored.ratePerSecond } = changes
  const audience = changes.audience ?? stored.audience
  const checked = await checkBroadcastRequest(
    appCode,
    {
      type,
      data,
      audience,
      ...(template !== null && { template }),
      // Otherwise an audience that is empty so far would be refused.
      scheduledAt: scheduledAt ?? stored.scheduledAt!.toISO()!,
    },
    author
  )
  return {
    type,
    data,
    locale,
    ratePerSecond,
    templateKey: checked.template?.key ?? null,
    audience: checked.audience,
    scheduledAt: checked.scheduledAt,
    outsideRecipients: author.mayReachOutsiders || checked.application.outsideRecipients,
  }
}

type Columns = Awaited<ReturnType<typeof checkChanges>>

/** @returns null if the broadcast has changed since it was checked */
function write(
  stored: Broadcast,
  columns: Columns,
  { audience }: BroadcastChanges,
  requireFresh: RequireFresh<Broadcast>
): Promise<Broadcast | null> {
  return transaction(async (trx) => {
    const broadcast = await stored.lock(trx)
    await requireFresh(() => broadcast)
    broadcast.requireScheduled()
    if (broadcast.revision !== stored.revision) return null
    const before = stateOf(broadcast)
    broadcast.merge({ ...columns, revision: broadcast.revision + 1 })
    if (audience !== undefined) {
      const former = { broadcast_id: broadcast.id }
      await deleteInParts('broadcast_recipients', (all) => all.where(former), trx)
      const emails = audience.kind === 'emails' ? audience.emails : []
      const total = await addListedRecipients(broadcast.id, emails, trx)
      // Users who were erased in the meantime had been counted.
      broadcast.merge({ total, skipped: 0, expanded: isListed(columns.audience) })
    }
    await broadcast.save()
    await recordChange(trx, {
      action: 'broadcast.changed',
      application: { id: broadcast.applicationId!, code: broadcast.appCode },
      target: broadcastTarget(broadcast),
      before,
      after: stateOf(broadcast),
    })
    return broadcast
  })
}

const isListed = ({ kind }: Audience) => kind === 'emails'

/** The revision shows that something changed, even if it was only the data. */
const stateOf = (broadcast: Broadcast) => ({
  ...broadcastState(broadcast),
  revision: broadcast.revision,
})
