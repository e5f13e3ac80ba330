import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { Page } from '#core/http/paging'
import BroadcastRecipient from '#app/broadcasts/models/broadcast_recipient'
import type { RecipientStatus } from '#app/broadcasts/values/recipient_status'

interface RecipientFilter {
  broadcastId: number
  status?: RecipientStatus
}

/** In the order in which they were stored: nobody moves between pages, and addresses can change. */
export function recipientList(
  { broadcastId, status }: RecipientFilter,
  { after, limit }: Page,
  client?: TransactionClientContract
) {
  return (
    BroadcastRecipient.query({ client })
      .where('broadcastId', broadcastId)
      // As the index has it.
      .if(status, (query) => query.whereRaw("coalesce(status, 'waiting') = ?", [status!]))
      .if(after, (query) => query.where('id', '>', after!))
      .orderBy('id')
      .limit(limit + 1)
  )
}
