import { DateTime } from 'luxon'
import { toDatabase } from '#core/database/columns'
import { expandAudience } from '#app/broadcasts/actions/expand_audience'
import Broadcast from '#app/broadcasts/models/broadcast'
import type { WorkSource } from '#app/delivery/outbox/work_source'

/** Starts broadcasts whose time has come and writes down their recipients, while others are already being sent to. */
export class BroadcastExpansion implements WorkSource {
  readonly name = 'broadcast audiences'

  async work(stopping: AbortSignal): Promise<boolean> {
    await startDue()
    const growing = await Broadcast.query()
      .select('id')
      .where('status', 'running')
      .where('expanded', false)
      .orderBy('id')
    let isGrowing = false
    for (const { id } of growing) {
      if (!stopping.aborted && (await expandAudience(id))) isGrowing = true
    }
    return isGrowing
  }
}

async function startDue() {
  const now = toDatabase(DateTime.utc())
  await Broadcast.query()
    .where('status', 'scheduled')
    .where('scheduledAt', '<=', now)
    .update({ status: 'running', started_at: now })
}
