import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import PendingSend from '#app/delivery/models/pending_send'

export function duePendingSends(client?: TransactionClientContract) {
  return PendingSend.query({ client }).where('dueAt', '<=', toDatabaseTimestamp(DateTime.utc()))
}
