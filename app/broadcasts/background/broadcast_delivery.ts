import { setTimeout as pause } from 'node:timers/promises'
import logger from '@adonisjs/core/services/logger'
import { Problem } from '#core/exceptions/problem'
import { Deadline } from '#core/values/deadline'
import { claimRecipients } from '#app/broadcasts/background/claim_recipients'
import { completeBroadcasts } from '#app/broadcasts/background/complete_broadcasts'
import {
  type BroadcastContent,
  readBroadcastContent,
  describeFailure,
} from '#app/broadcasts/actions/read_broadcast_content'
import Broadcast from '#app/broadcasts/models/broadcast'
import {
  type ClaimedRow,
  type RunningRow,
  claimStatements,
} from '#app/broadcasts/queries/claim_statements'
import { ApplicationTurns } from '#app/broadcasts/background/application_turns'
import { sendBatch } from '#app/broadcasts/background/send_batch'
import { SlowBatches } from '#app/broadcasts/background/slow_batches'
import type { WorkSource } from '#core/background/work_source'
import broadcastsConfig from '#config/broadcasts'

const SLOT_WAIT_MS = 50

interface ClaimedBatch {
  /** Of the broadcast */
  id: number
  rows: ClaimedRow[]
  lease: Deadline
  onPrepared: (characters: number) => void
}

/** Sends running broadcasts in batches. Applications take turns (broadcasts.md#workers). */
export class BroadcastDelivery implements WorkSource {
  readonly name = 'broadcasts'
  readonly #turns = new ApplicationTurns()
  readonly #slow = new SlowBatches()

  async work(stopping: AbortSignal): Promise<boolean> {
    const running = await claimStatements().running.all([])
    if (running.length === 0) return false
    for (const broadcast of this.#turns.rounds(this.#readyOf(running)).flat()) {
      const { id, rate } = broadcast
      this.#turns.recordTurn(broadcast)
      const lease = new Deadline(broadcastsConfig.leaseMs)
      const rows = await claimRecipients(id, rate)
      if (rows.length === 0) continue
      await this.#slow.follow(broadcast, (onPrepared) =>
        this.#send({ id, rows, lease, onPrepared }, stopping)
      )
      await completeBroadcasts()
      return true
    }
    await completeBroadcasts()
    if (!running.some(({ rate, idle }) => rate !== null && !idle)) return false
    await pause(SLOT_WAIT_MS, null, { signal: stopping }).catch(() => {})
    return true
  }

  finish() {
    return this.#slow.finish()
  }

  async backlog() {
    const [{ waiting, later }] = await claimStatements().backlog.all([])
    return Math.max(0, Number(waiting) - Number(later))
  }

  #readyOf(running: RunningRow[]): RunningRow[] {
    if (this.#slow.isFull) return []
    return running.filter((row) => row.ready && !row.idle && !this.#slow.has(row))
  }

  async #send({ id, ...claimed }: ClaimedBatch, stopping: AbortSignal) {
    const broadcast = await Broadcast.findOrFail(id)
    const content = await readContentOrFail(broadcast)
    if (content) await sendBatch({ broadcast, content, ...claimed }, stopping)
  }
}

/** Null when the broadcast cannot be sent any more; it is then marked as failed. */
async function readContentOrFail(broadcast: Broadcast): Promise<BroadcastContent | null> {
  try {
    return await readBroadcastContent(broadcast)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    logger.warn({ broadcast: broadcast.id, code: error.kind.code }, 'A broadcast failed')
    await broadcast.fail(describeFailure(error))
    return null
  }
}
