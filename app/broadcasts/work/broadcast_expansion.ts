import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import { expandAudience } from '#app/broadcasts/actions/expand_audience'
import Broadcast from '#app/broadcasts/models/broadcast'
import type { WorkSource } from '#app/delivery/outbox/work_source'

/** Starts due broadcasts and stores their recipients while the first are already being served. */
export class BroadcastExpansion implements WorkSource {
  readonly name = 'broadcast audiences'

  async work(stopping: AbortSignal): Promise<boolean> {
    await startDue()
    const broadcasts = await expanding().select('id').orderBy('id')
    let hasMore = false
    for (const { id } of broadcasts) {
      if (!stopping.aborted && (await expandAudience(id))) hasMore = true
    }
    return hasMore
  }

  async backlog() {
    const [scheduled, running] = await Promise.all([
      scheduledBefore(toDatabaseTimestamp(DateTime.utc())).count('* as rows'),
      expanding().count('* as rows'),
    ])
    return Number(scheduled[0].$extras.rows) + Number(running[0].$extras.rows)
  }
}

const expanding = () => Broadcast.query().where('status', 'running').where('expanded', false)

const scheduledBefore = (now: string) =>
  Broadcast.query().where('status', 'scheduled').where('scheduledAt', '<=', now)

async function startDue() {
  const now = toDatabaseTimestamp(DateTime.utc())
  // On SQLite, even an update without rows would block other writers.
  if ((await scheduledBefore(now).select('id').first()) === null) return
  await scheduledBefore(now).update({ status: 'running', started_at: now })
}
