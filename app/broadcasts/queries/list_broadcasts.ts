import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { Page } from '#core/http/paging'
import Broadcast from '#app/broadcasts/models/broadcast'
import type { BroadcastStatus } from '#app/broadcasts/values/broadcast_status'

// The list does not show the data, which can have 64 KiB.
const LISTED_COLUMNS = Broadcast.$columns.filter((name) => name !== 'data')

interface BroadcastFilter {
  applicationId: number
  status?: BroadcastStatus
  /** Code of a type */
  type?: string
}

/** Returns one row more than the page holds. */
export function listBroadcasts(
  { applicationId, status, type }: BroadcastFilter,
  page: Page,
  client?: TransactionClientContract
) {
  return Broadcast.query({ client })
    .select(...LISTED_COLUMNS)
    .where('applicationId', applicationId)
    .if(status, (query) => query.where('status', status!))
    .if(type, (query) => query.where('type', type!))
    .if(page.after, (query) => query.where('id', '<', page.after!))
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
}
