import db from '@adonisjs/lucid/services/db'
import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import type { ClaimedDelivery } from '#app/webhooks/background/claim_deliveries'

/** Leaves a delivery to other processes, without counting the attempt that was cut off. */
export async function releaseClaim({ delivery: { id, claim } }: ClaimedDelivery) {
  await db
    .from('webhook_deliveries')
    .where({ id, claim })
    .update({ claim: null, due_at: toDatabaseTimestamp(DateTime.utc()) })
}
