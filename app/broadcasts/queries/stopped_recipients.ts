import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import BroadcastRecipient from '#app/broadcasts/models/broadcast_recipient'
import { databaseNow } from '#app/broadcasts/queries/database_now'

/**
 * Recipients with a log entry who wait for another try of a broadcast that was cancelled or failed.
 * Those whose message is being handed over right now are left out.
 */
export const stoppedRecipients = (client?: QueryClientContract) =>
  BroadcastRecipient.query({ client })
    .whereIn('broadcastId', (stopped) =>
      stopped
        .from('broadcasts')
        .whereRaw(`recipients_kept = true and status in ('cancelled', 'failed')`)
        .select('id')
    )
    .whereNull('status')
    .whereNotNull('notificationId')
    .whereRaw(`due_at is not null and (claims = 0 or due_at <= ${databaseNow()})`)
