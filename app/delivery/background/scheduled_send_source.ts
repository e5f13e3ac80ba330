import { wakeBackgroundWork } from '#core/background/background_worker'
import type { WorkSource } from '#core/background/work_source'
import { Deadline } from '#core/values/deadline'
import { storePrepared } from '#app/delivery/actions/store_prepared'
import { FairClaims } from '#app/delivery/background/fair_claims'
import { claimRequests, recipientsWithSeveral } from '#app/delivery/background/claim_requests'
import { prepareRequests } from '#app/delivery/background/prepare_requests'
import { MAX_BATCH_SIZE, messageBudget } from '#app/delivery/message_budget'
import type PendingSend from '#app/delivery/models/pending_send'
import { duePendingRequests } from '#app/delivery/queries/due_pending_sends'

const MAX_WAIT_MS = 1_000
const MOST_RECIPIENTS = 1_000

/** Renders requests that fall due; `PendingSendSource` then sends them within the usual limits. */
export class ScheduledSendSource implements WorkSource {
  readonly name = 'scheduled sends'
  /** By account, which names the application of a request. */
  readonly #applications = new FairClaims((claimed: PendingSend[]) =>
    claimed.map(({ account }) => account)
  )
  readonly #recipients = new FairClaims(recipientsWithSeveral, MOST_RECIPIENTS)

  async work(): Promise<boolean> {
    const reservation = await messageBudget.reserve(
      'scheduled sends',
      MAX_BATCH_SIZE,
      new Deadline(MAX_WAIT_MS)
    )
    if (reservation === null) return false
    try {
      const claimed = await this.#recipients.next((recipients) =>
        this.#applications.next((accounts) => claimRequests({ accounts, recipients }))
      )
      if (claimed.length === 0) return false
      for await (const batch of prepareRequests(claimed)) {
        await storePrepared(batch)
        wakeBackgroundWork()
      }
      return true
    } finally {
      reservation.release()
    }
  }

  async backlog() {
    const [row] = await duePendingRequests().count('* as rows')
    return Number(row.$extras.rows)
  }
}
