import { DateTime } from 'luxon'
import { toDatabase } from '#core/database/columns'
import { expandAudience } from '#app/broadcasts/actions/expand_audience'
import Broadcast from '#app/broadcasts/models/broadcast'
import { ApplicationTurns } from '#app/broadcasts/work/application_turns'
import type { WorkSource } from '#app/delivery/outbox/work_source'

/** Starts broadcasts whose time has come and writes down their recipients, while others are already being sent to. */
export class BroadcastExpansion implements WorkSource {
  readonly name = 'broadcast audiences'
  readonly #turns = new ApplicationTurns()

  async work(stopping: AbortSignal): Promise<boolean> {
    await startDue()
    const broadcasts = await growing().select('id', 'applicationId')
    const waiting = broadcasts.map(({ id, applicationId }) => ({ id, application: applicationId }))
    for (const round of this.#turns.rounds(waiting)) {
      // Who comes meanwhile does not wait for further rounds.
      if (await this.#expand(round, stopping)) return true
    }
    return false
  }

  /** Whether any of them may go on. */
  async #expand(round: { id: number; application: number | null }[], stopping: AbortSignal) {
    let isGrowing = false
    for (const broadcast of round) {
      if (stopping.aborted) break
      this.#turns.took(broadcast)
      if (await expandAudience(broadcast.id)) isGrowing = true
    }
    return isGrowing
  }

  /** Broadcasts that are to begin, or whose recipients are not all written down. */
  async backlog() {
    const [scheduled, running] = await Promise.all([
      dueAt(toDatabase(DateTime.utc())).count('* as rows'),
      growing().count('* as rows'),
    ])
    return Number(scheduled[0].$extras.rows) + Number(running[0].$extras.rows)
  }
}

const growing = () => Broadcast.query().where('status', 'running').where('expanded', false)

const dueAt = (now: string) =>
  Broadcast.query().where('status', 'scheduled').where('scheduledAt', '<=', now)

async function startDue() {
  const now = toDatabase(DateTime.utc())
  // Most of the time there is none, and on SQLite even an update of nothing would hold up whoever writes.
  if ((await dueAt(now).select('id').first()) === null) return
  await dueAt(now).update({ status: 'running', started_at: now })
}
