import type { Page } from '#core/http/paging'
import BroadcastRecipient from '#app/broadcasts/models/broadcast_recipient'
import type { RecipientStatus } from '#app/broadcasts/values/recipient_status'

interface RecipientFilter {
  broadcastId: number
  status?: RecipientStatus
}

/** By address, so that nobody moves between pages while the broadcast runs. */
export function recipientList({ broadcastId, status }: RecipientFilter, { after, limit }: Page) {
  return (
    BroadcastRecipient.query()
      .where('broadcastId', broadcastId)
      // As the index has it.
      .if(status, (query) => query.whereRaw("coalesce(status, 'waiting') = ?", [status!]))
      .if(after, (query) =>
        query.whereRaw('email > (select email from broadcast_recipients where id = ?)', [after!])
      )
      .orderBy('email')
      .limit(limit + 1)
  )
}
