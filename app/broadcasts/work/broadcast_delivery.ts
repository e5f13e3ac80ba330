import { setTimeout as pause } from 'node:timers/promises'
import logger from '@adonisjs/core/services/logger'
import { Problem } from '#core/exceptions/problem'
import { Deadline } from '#core/values/deadline'
import { claimRecipients } from '#app/broadcasts/actions/claim_recipients'
import { completeBroadcasts, failBroadcast } from '#app/broadcasts/actions/end_broadcast'
import { type BroadcastContent, readContent, reasonOf } from '#app/broadcasts/actions/read_content'
import Broadcast from '#app/broadcasts/models/broadcast'
import { type ClaimedRow, claimStatements } from '#app/broadcasts/queries/claim_statements'
import { ApplicationTurns } from '#app/broadcasts/work/application_turns'
import { sendBatch } from '#app/broadcasts/work/send_batch'
import type { WorkSource } from '#app/delivery/outbox/work_source'
import broadcastsConfig from '#config/broadcasts'

/** How long to wait for the next slots of throttled broadcasts. */
const SLOT_WAIT_MS = 50

/** Sends running broadcasts in batches, for which applications take turns (architecture, part 4). */
export class BroadcastDelivery implements WorkSource {
  readonly name = 'broadcasts'
  readonly #turns = new ApplicationTurns()

  async work(stopping: AbortSignal): Promise<boolean> {
    const running = await claimStatements().running.all([])
    if (running.length === 0) return false
    const ready = running.filter((broadcast) => broadcast.ready)
    for (const broadcast of this.#turns.rounds(ready).flat()) {
      const { id, rate } = broadcast
      this.#turns.took(broadcast)
      const lease = new Deadline(broadcastsConfig.leaseMs)
      const rows = await claimRecipients(id, rate)
      if (rows.length === 0) continue
      await this.#send(id, rows, lease, stopping)
      await completeBroadcasts()
      return true
    }
    await completeBroadcasts()
    if (!running.some(({ rate }) => rate !== null)) return false
    await pause(SLOT_WAIT_MS, null, { signal: stopping }).catch(() => {})
    return true
  }

  /** Recipients of running broadcasts who are not done, unless their next try comes later or somebody is at them. */
  async backlog() {
    const [{ waiting, later }] = await claimStatements().backlog.all([])
    return Math.max(0, Number(waiting) - Number(later))
  }

  async #send(id: number, rows: ClaimedRow[], lease: Deadline, stopping: AbortSignal) {
    const broadcast = await Broadcast.findOrFail(id)
    const content = await contentOrFailure(broadcast)
    if (content) await sendBatch({ broadcast, content, rows, lease }, stopping)
  }
}

/** Null, and the broadcast ends, when nobody can get it any more. */
async function contentOrFailure(broadcast: Broadcast): Promise<BroadcastContent | null> {
  try {
    return await readContent(broadcast)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    logger.warn({ broadcast: broadcast.id, code: error.kind.code }, 'A broadcast cannot go on')
    await failBroadcast(broadcast.id, reasonOf(error))
    return null
  }
}
