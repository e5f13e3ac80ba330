import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import { expandAudience } from '#app/broadcasts/background/expand_audience'
import Broadcast from '#app/broadcasts/models/broadcast'
import { ApplicationTurns, type Candidate } from '#app/broadcasts/background/application_turns'
import type { WorkSource } from '#core/background/work_source'

/** Starts due broadcasts and stores their recipients while the first messages are being sent. */
export class BroadcastExpansion implements WorkSource {
  readonly name = 'broadcast audiences'
  readonly #turns = new ApplicationTurns()

  async work(stopping: AbortSignal): Promise<boolean> {
    await startDue()
    const broadcasts = await expanding().select('id', 'applicationId')
    const waiting = broadcasts.map(({ id, applicationId }) => ({ id, application: applicationId }))
    for (const round of this.#turns.rounds(waiting)) {
      // Returns after one round, so that new broadcasts do not wait for further ones.
      if (await this.#expandRound(round, stopping)) return true
    }
    return false
  }

  /** Returns whether any of the broadcasts may have more to expand. */
  async #expandRound(round: Candidate[], stopping: AbortSignal) {
    let hasMore = false
    for (const broadcast of round) {
      if (stopping.aborted) break
      this.#turns.recordTurn(broadcast)
      if (await expandAudience(broadcast.id)) hasMore = true
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
