import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import PendingSend from '#app/delivery/models/pending_send'

/** Rendered messages whose next round is due. */
export function duePendingSends(client?: TransactionClientContract) {
  return due(client).whereRaw('prepared = true')
}

/** Requests that are to be rendered now. The condition is that of their index. */
export function duePendingRequests(client?: TransactionClientContract) {
  return due(client).whereRaw('prepared = false')
}

function due(client?: TransactionClientContract) {
  return PendingSend.query({ client }).where('dueAt', '<=', toDatabaseTimestamp(DateTime.utc()))
}
