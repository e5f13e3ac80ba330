import { claimPending } from '#app/delivery/background/claim_pending'
import { deferPending } from '#app/delivery/actions/defer_pending'
import { startPending } from '#app/delivery/actions/start_pending'
import { deliverPending } from '#app/delivery/actions/deliver_pending'
import { endPending } from '#app/delivery/background/end_pending'
import { readPendingMessage } from '#app/delivery/background/read_pending_message'
import { trackRound } from '#app/delivery/actions/track_round'
import type PendingSend from '#app/delivery/models/pending_send'
import { wakeBackgroundWork } from '#core/background/background_worker'
import type { WorkSource } from '#core/background/work_source'
import { duePendingSends } from '#app/delivery/queries/due_pending_sends'
import sendingConfig from '#config/sending'

const { holdMs, parallel, perAccount } = sendingConfig

/** Does not wait for rounds, so that a server that hangs blocks only its own account. */
export class PendingSendSource implements WorkSource {
  readonly name = 'sends that are tried again'
  readonly #inProgress = new Map<string, number>()
  readonly #pausedUntil = new Map<string, number>()

  async work(stopping?: AbortSignal) {
    const free = parallel - this.#inProgress.values().reduce((sum, count) => sum + count, 0)
    if (free <= 0 || stopping?.aborted) return false
    const sends = await claimPending({ exceptAccounts: this.#busyAccounts(), limit: free })
    for (const send of sends) void this.#work(send)
    return sends.length > 0
  }

  async backlog() {
    const [row] = await duePendingSends().count('* as rows')
    return Number(row.$extras.rows)
  }

  #busyAccounts(): string[] {
    const now = performance.now()
    for (const [account, until] of this.#pausedUntil) {
      if (until <= now) this.#pausedUntil.delete(account)
    }
    const full = this.#inProgress.entries().filter(([, count]) => count >= perAccount)
    return [...full.map(([account]) => account), ...this.#pausedUntil.keys()]
  }

  async #work(send: PendingSend) {
    const { account } = send
    const before = this.#inProgress.get(account) ?? 0
    this.#inProgress.set(account, before + 1)
    const round = await trackRound(() => runRound(send))
    if (round === 'passed') this.#pausedUntil.delete(account)
    else if (round !== 'none') this.#pausedUntil.set(account, performance.now() + holdMs)
    this.#release(account)
  }

  #release(account: string) {
    const count = this.#inProgress.get(account)!
    if (count > 1) this.#inProgress.set(account, count - 1)
    else this.#inProgress.delete(account)
    // Sends of the account may have waited for a free slot.
    if (count === perAccount) wakeBackgroundWork()
  }
}

/** `none` if its server was not asked, which says nothing about others of the account. */
type Round = 'passed' | 'failed' | 'none'

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
  return outcome !== null && !outcome.isPending ? 'passed' : 'failed'
}
