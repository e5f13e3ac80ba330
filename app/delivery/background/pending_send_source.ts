import { claimPending } from '#app/delivery/background/claim_pending'
import { deferPending } from '#app/delivery/actions/defer_pending'
import { startPending } from '#app/delivery/actions/start_pending'
import { deliverPending } from '#app/delivery/actions/deliver_pending'
import { endPending } from '#app/delivery/background/end_pending'
import { readPendingMessage } from '#app/delivery/background/read_pending_message'
import { type Round, RoundSlots } from '#app/delivery/background/round_slots'
import { trackRound } from '#app/delivery/actions/track_round'
import type PendingSend from '#app/delivery/models/pending_send'
import { wakeBackgroundWork } from '#core/background/background_worker'
import { LaterParts } from '#core/background/later_parts'
import type { WorkSource } from '#core/background/work_source'
import { duePendingSends } from '#app/delivery/queries/due_pending_sends'
import sendingConfig from '#config/sending'

/** Does not wait for rounds, so that a server that hangs blocks only its own account. */
export class PendingSendSource implements WorkSource {
  readonly name = 'sends that are tried again'
  readonly #slots = new RoundSlots()
  readonly #laterParts = new LaterParts<number>(sendingConfig.examined)

  async work(stopping?: AbortSignal) {
    if (this.#slots.free <= 0 || stopping?.aborted) return false
    const sends = await claimPending(this.#slots, this.#laterParts)
    for (const send of sends) void this.#work(send)
    return sends.length > 0
  }

  async backlog() {
    const [row] = await duePendingSends().count('* as rows')
    return Number(row.$extras.rows)
  }

  async #work(send: PendingSend) {
    this.#slots.take(send)
    const startedAt = performance.now()
    const round = (await trackRound(() => runRound(send))) ?? 'failed'
    const tookMs = performance.now() - startedAt
    if (this.#slots.release(send, round, tookMs)) wakeBackgroundWork()
  }
}

async function runRound(pending: PendingSend): Promise<Round> {
  const { id, claim, notificationId, giveUpAt, channels } = pending
  const claimed = { id, claim, notificationId, giveUpAt, channels }
  const next = await readPendingMessage(pending)
  // It is claimed again when this claim ends.
  if ('isUnreadable' in next) return 'none'
  if ('until' in next) {
    await deferPending(pending, next.until)
    return 'none'
  }
  if ('refused' in next) return (await endPending(claimed, next.refused)) ? 'none' : 'failed'
  const { channels: planned, message } = next
  const send =
    pending.retryHours === null
      ? { ...claimed, channels: planned }
      : await startPending(pending, planned)
  if (send === null) return 'none'
  const outcome = await deliverPending(send, message)
  if (outcome?.isPostponed) return 'none'
  return outcome !== null && !outcome.isPending ? 'passed' : 'failed'
}
