import type { DateTime, DurationLike } from 'luxon'
import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import { toDatabaseTimestamp } from '#core/database/columns'
import type { Sweep } from '#core/retention/sweep'
import Broadcast from '#app/broadcasts/models/broadcast'
import BroadcastRecipient from '#app/broadcasts/models/broadcast_recipient'
import retentionConfig from '#config/retention'

/** Deletes the recipients of broadcasts that ended long enough ago. The counts remain. */
export class BroadcastRecipientSweep implements Sweep {
  readonly name = 'broadcast_recipients'
  readonly #keep: DurationLike

  constructor(keep: DurationLike) {
    this.#keep = keep
  }

  async isDue(now: DateTime) {
    return (await this.#oldest(now)) !== null
  }

  async deleteExpired(now: DateTime, limit: number, trx: TransactionClientContract) {
    const broadcast = await this.#oldest(now, trx)
    if (!broadcast) return 0
    const removed = await BroadcastRecipient.query({ client: trx })
      .whereIn('id', (recipients) =>
        recipients
          .from('broadcast_recipients')
          .where('broadcast_id', broadcast.id)
          .limit(limit)
          .select('id')
      )
      .delete()
    const count = Number(removed)
    if (count < limit) await broadcast.merge({ recipientsKept: false }).save()
    // A broadcast without recipients also counts as progress.
    return Math.max(1, count)
  }

  #oldest(now: DateTime, client?: QueryClientContract) {
    const before = toDatabaseTimestamp(now.minus(this.#keep))
    return Broadcast.query({ client })
      .whereRaw('recipients_kept = true')
      .where('finishedAt', '<', before)
      .orderBy('finishedAt')
      .first()
  }
}

const { broadcastRecipientsDays: days } = retentionConfig

export const broadcastSweeps = days === null ? [] : [new BroadcastRecipientSweep({ days })]
